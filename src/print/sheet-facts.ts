import { z } from 'zod';
import type { Database, RecordState } from '../database/tables/tables.ts';
import { readLineage } from '../landscape/runs/lineage.ts';
import { readRecord } from '../landscape/runs/record.ts';
import { readRun, type StoredRun } from '../landscape/runs/run-rows.ts';
import { zoningOutputOf } from '../landscape/gaps/gaps.ts';
import type { Problem } from '../lib/errors.ts';
import type { Message } from '../lib/message.ts';
import { landscapeProblems } from '../messages/runs/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { originPhrases } from '../messages/datasets/english.ts';
import { sheetProblems, sheetWords } from '../messages/drawing/english.ts';
import { formatPeriod } from '../../common/formats/days.ts';

/** The run that a sheet describes. */
export interface SheetRun {
  readonly run: StoredRun;
  readonly name: string | null;
  readonly state: RecordState;
  readonly basis: string | null;
  /** True if the dataset is the functional zoning of the run, in which the order may decide between sectors. */
  readonly isZoning: boolean;
}

/** The facts about a dataset that sheets print beside the map; equal facts give equal sheets. */
export interface SheetFacts {
  readonly datasetId: string;
  /** `2020 – 2024`, or one day; empty when unknown. */
  readonly period: string;
  /** Warns of invented values; null without any. */
  readonly warning: string | null;
  /** Lines with name, period, origin and licence of each upload from which the dataset was made. */
  readonly sources: readonly string[];
  readonly run: SheetRun | undefined;
  /** The day of the last change of any of these facts, `YYYY-MM-DD`. */
  readonly asOf: string;
}

/**
 * Reads the facts that sheets print about a dataset.
 * @param runId the run to describe; by default the run that made the dataset
 * @throws {Problem} `not_found` without the dataset or the run, or when the run is unrelated to the dataset
 */
export async function readSheetFacts(
  db: Database,
  {
    datasetId,
    runId,
    language,
  }: { readonly datasetId: string; readonly runId: string | undefined; readonly language: Language },
): Promise<SheetFacts> {
  const { steps, warning } = await readLineage(db, datasetId, language);
  const [own, ...others] = steps;
  const uploads = others.filter(({ node }) => node === null);
  const ids = [datasetId, ...uploads.map(({ dataset_id: id }) => id)];
  const rows = await db
    .selectFrom('datasets')
    .select(['id', 'name', 'start_date', 'end_date', 'updated_at', 'meta'])
    .where('id', 'in', ids)
    .execute();
  const rowOf = (id: string) => rows.find((row) => row.id === id);
  const dataset = rowOf(datasetId);
  const say = (message: Message) => translate(message, language);
  const sources = (uploads.length === 0 && own !== undefined ? [own] : uploads).map((step) => {
    const row = rowOf(step.dataset_id);
    const name = step.title ?? row?.name ?? say(sheetWords.deletedSource);
    const described = [
      name,
      row !== undefined && row.name !== name ? `«${row.name}»` : '',
      periodOf(row, language),
      step.origin === null ? '' : say(originOf[step.origin]),
    ];
    const licence = licenceOf(row?.meta ?? null);
    const line = described.filter((part) => part !== '').join(', ');
    return licence === '' ? line : say(sheetWords.licence(line, licence));
  });
  const run = await readSheetRun(db, runId ?? own?.run_id ?? undefined, datasetId);
  const changes = [dataset?.updated_at.toISOString() ?? '', run?.changedAt ?? ''];
  const asOf = changes.reduce((one, other) => (other > one ? other : one), '').slice(0, 10);
  return { datasetId, period: periodOf(dataset, language), warning, sources, run, asOf };
}

const originOf = {
  measured: originPhrases.isMeasured,
  derived: originPhrases.isDerived,
  invented: originPhrases.isInvented,
} as const;

async function readSheetRun(
  db: Database,
  id: string | undefined,
  datasetId: string,
): Promise<(SheetRun & { readonly changedAt: string | null }) | undefined> {
  if (id === undefined) return undefined;
  const run = await readRun(db, id);
  if (run === undefined) throw noRun();
  if (
    !run.nodes.some(
      ({ outputId, inputs }) => outputId === datasetId || [...inputs.values()].includes(datasetId),
    )
  )
    throw sheetProblems.notOfRun();
  const { name, state, basis, changed_at: changedAt } = await readRecord(db, id);
  return { run, name, state, basis, isZoning: zoningOutputOf(run) === datasetId, changedAt };
}

const noRun = (): Problem => landscapeProblems.noSuchRun();

interface Dated {
  readonly start_date: string | null;
  readonly end_date: string | null;
}

const periodOf = (row: Dated | undefined, language: Language): string =>
  (row && formatPeriod(row.start_date, row.end_date, language)) ?? '';

const Text = z.string().catch('');
/** Members of `meta` that usually contain attribution and licence. */
const Licence = z
  .object({ source: Text, attribution: Text, copyright: Text, license: Text, licence: Text })
  .partial()
  .catch({});

function licenceOf(meta: string | null): string {
  const { source, attribution, copyright, license, licence } = Licence.parse(
    meta === null ? {} : JSON.parse(meta),
  );
  return [source, attribution, copyright, license, licence]
    .filter((text) => (text ?? '').trim() !== '')
    .join('; ');
}
