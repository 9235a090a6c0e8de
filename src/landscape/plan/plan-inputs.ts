import { sql } from 'kysely';
import type { Transaction } from '../../database/tables/tables.ts';
import { freshestFirst } from '../../catalogue/freshness.ts';
import { summaryColumns, type SummaryRow, toDatasetSummary } from '../../datasets/schema.ts';
import { leaves } from '../model/leaves.ts';
import type { DatedRaster } from './plan.ts';
import type { PlannedInput } from '../runs/plan-schema.ts';

type Overrides = Readonly<Record<string, string>>;

export interface ResolvedInputs {
  /** The ready raster of each leaf group and pinned group, by code: the pin, otherwise the freshest. */
  readonly rasters: ReadonlyMap<string, DatedRaster>;
  /** The same inputs for a plan, including groups without a raster. */
  readonly planned: readonly PlannedInput[];
}

/** Finds the inputs of a run that begins now, with reasons, in one query. */
export async function resolveInputs(trx: Transaction, overrides: Overrides): Promise<ResolvedInputs> {
  const slots = leaves.map(({ group }) => group);
  const others = Object.keys(overrides).filter((group) => !slots.includes(group));
  const groups = [...slots, ...others.toSorted()];
  const candidates = await findCandidates(trx, groups, overrides);
  const planned = groups.map((group) => {
    const ofGroup = candidates.filter((row) => row.group === group);
    return chosenOf(group, ofGroup, Object.hasOwn(overrides, group));
  });
  const rasters = planned.flatMap(({ group, dataset }) =>
    dataset === null
      ? []
      : [[group, { id: dataset.id, startDate: dataset.start_date, endDate: dataset.end_date }] as const],
  );
  return { rasters: new Map(rasters), planned };
}

type Candidate = SummaryRow & {
  readonly group: string;
  readonly role: 'pinned' | 'ready' | 'freshest';
  /** Rank within the role, starting at 1. */
  readonly rank: number;
};

/** Reads for each group the ready pin, or its two freshest ready rasters and its freshest one in any status. */
async function findCandidates(
  trx: Transaction,
  groups: readonly string[],
  overrides: Overrides,
): Promise<readonly Candidate[]> {
  const pins = groups.map((group) => overrides[group] ?? null);
  const columns = sql.join(summaryColumns.map((column) => sql.ref(`datasets.${column}`)));
  const isReady = sql`datasets.file_type = 'raster' and datasets.status = 'ready'`;
  const { rows } = await sql<Candidate>`
    select input.code as "group", found.*
      from unnest(${groups}::text[], ${pins}::uuid[]) input (code, pin)
      left join dataset_groups grp on grp.code = input.code and input.pin is null
     cross join lateral (
       (select 'pinned' as role, 1 as rank, ${columns} from datasets where datasets.id = input.pin and ${isReady})
       union all
       (select 'ready', row_number() over (order by ${freshestFirst}), ${columns} from datasets
         where datasets.dg_id = grp.id and ${isReady} order by ${freshestFirst} limit 2)
       union all
       (select 'freshest', 1, ${columns} from datasets
         where datasets.dg_id = grp.id and datasets.file_type = 'raster' order by ${freshestFirst} limit 1)
     ) found`.execute(trx);
  return rows;
}

function chosenOf(group: string, candidates: readonly Candidate[], isPinned: boolean): PlannedInput {
  const find = (role: Candidate['role'], rank = 1) =>
    candidates.find((row) => row.role === role && row.rank === rank);
  const summaryOf = (row: Candidate | undefined) => (row === undefined ? null : toDatasetSummary(row));
  if (isPinned) return { group, dataset: summaryOf(find('pinned')), because: 'pinned', waiting: null };
  const [chosen, next, freshest] = [find('ready'), find('ready', 2), find('freshest')];
  return {
    group,
    dataset: summaryOf(chosen),
    because: becauseOf(chosen, next),
    waiting: freshest?.status === 'ready' ? null : summaryOf(freshest),
  };
}

function becauseOf(chosen: Candidate | undefined, next: Candidate | undefined): PlannedInput['because'] {
  if (chosen === undefined) return 'none';
  if (next === undefined) return 'only';
  return chosen.end_date === next.end_date ? 'newer_upload' : 'later_end_date';
}
