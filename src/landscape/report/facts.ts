import { sql } from 'kysely';
import { toDatasetAreas } from '../../areas/area-answers.ts';
import { readUnits } from '../../areas/by-unit.ts';
import { areasOf, digestOf } from '../../areas/area-counts.ts';
import { cogOf } from '../../areas/routes.ts';
import type { PendingResult } from '../../jobs/results.ts';
import type { DatasetAreas } from '../../areas/areas-schema.ts';
import type { Database } from '../../database/tables/tables.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import type { Lineage } from '../runs/lineage-schema.ts';
import type { RecentDatasets } from '../../datasets/recent-datasets.ts';
import type { Legends } from '../../maps/service/legends.ts';
import type { Maps } from '../../maps/service/maps.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { areaProblems } from '../../messages/areas/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { conflictsOf } from '../balance/conflicts.ts';
import type { Conflicts } from '../balance/conflicts-schema.ts';
import { runCaseOf } from '../balance/case-query.ts';
import { stabilityOf } from '../balance/stability.ts';
import type { Stability } from '../balance/stability-schema.ts';
import type { ZonedRuns } from '../balance/zoned-runs.ts';
import { describeGraph } from '../groups/graph-answer.ts';
import type { LandscapeGraph } from '../groups/graph-schema.ts';
import { readZonedRun } from '../layers/layers.ts';
import { limitsOf } from '../limits/limits.ts';
import { type LandscapeLimits, SectorCode } from '../limits/limits-schema.ts';
import { getGaps } from '../gaps/gaps.ts';
import type { LandscapeGaps } from '../gaps/gaps-schema.ts';
import { readLineage } from '../runs/lineage.ts';
import { getRunPlan } from '../plan/plan-answers.ts';
import type { LandscapePlan } from '../runs/plan-schema.ts';
import { listRecordChanges, readRecord } from '../runs/record.ts';
import type { RunRecord, RunRecordChange } from '../runs/record-schema.ts';
import { getRun, type StoredRun } from '../runs/run-rows.ts';
import { zoningIdOf } from '../gaps/run-zoning.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { type Part, partOf, readPart } from './part.ts';
import { type ReportMap, reportMapOf } from './report-map.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

export interface ReportDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly recentDatasets: RecentDatasets;
  readonly zonedRuns: ZonedRuns;
  readonly maps: Maps;
  readonly legends: Legends;
}

export interface ReportRequest {
  readonly runId: string;
  readonly language: Language;
  /** The address of the service for links, without a trailing slash; without it, ids are not linked. */
  readonly baseUrl?: string;
}

/** All facts of a report. */
export interface ReportFacts extends ReportRequest {
  readonly isPending: false;
  readonly run: LandscapeRun;
  readonly graphVersion: number;
  readonly graph: LandscapeGraph;
  /** Version of the borders on the maps. */
  readonly districtsVersion: number;
  readonly record: RunRecord;
  /** The changes of the record, newest first, and their total number. */
  readonly history: { readonly rows: readonly RunRecordChange[]; readonly total: number };
  readonly plan: LandscapePlan;
  readonly lineage: Part<Lineage>;
  readonly areas: Part<{ readonly regions: DatasetAreas; readonly districts: DatasetAreas }>;
  readonly judged: Part<{ readonly conflicts: Conflicts; readonly stability: Stability }>;
  readonly gaps: Part<LandscapeGaps>;
  /** Limits of the five sectors, in their order. */
  readonly limits: readonly Part<LandscapeLimits>[];
  /** Maps of the zoning, the five sectors and the sensitivity. */
  readonly maps: readonly Part<ReportMap>[];
  /** SHA-256 of the COG in hexadecimal, by dataset. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The codes of the nodes whose maps a report contains, the zoning first. */
export const shownNodes = [zoningCode, ...SectorCode.options, '26'] as const;

const mostChanges = 100;
/** The report contains the limits of the whole raster. */
const asked = { by: 'region', kato: undefined, relieved: undefined } as const;

/**
 * Collects the facts of a report on a run, or has them counted. All are requested at once, so that jobs run in parallel.
 * @throws {Problem} `not_found` without the run or its zoning, `conflict` before it has ended
 */
export async function reportFactsOf(
  dependencies: ReportDependencies,
  request: ReportRequest,
): Promise<ReportFacts | PendingResult> {
  const { db } = dependencies;
  const { runId, language } = request;
  const stored = await readZonedRun(db, runId);
  const zoningId = zoningIdOf(stored);
  const graph = describeGraph(language);
  const part = async <T extends object>(find: () => Promise<T | PendingResult>) =>
    await partOf(language, find);
  const [areas, judged, limits, maps] = await Promise.all([
    part(async () => await areasOfZoning(dependencies, zoningId)),
    part(async () => await judgedOf(dependencies, request)),
    Promise.all(
      SectorCode.options.map(
        async (sector) =>
          await part(async () => await limitsOf(dependencies, { ...asked, sector, runId, language })),
      ),
    ),
    Promise.all(
      shownNodes.map(
        async (code) =>
          await part(async () => {
            const node = graph.nodes.find((each) => each.code === code);
            const datasetId = stored.nodes.find((each) => each.code === code)?.outputId ?? null;
            if (node === undefined || datasetId === null) throw areaProblems.noZoning();
            return await reportMapOf(dependencies, { node, datasetId, language });
          }),
      ),
    ),
  ]);
  if (areas.isPending) return areas;
  if (judged.isPending) return judged;
  const waiting = [...limits, ...maps].find(({ isPending }) => isPending);
  if (waiting?.isPending === true) return waiting;
  const [lineage, gaps] = await Promise.all([
    part(async () => await readLineage(db, zoningId, language)),
    part(async () => await getGaps(db, runId)),
  ]);
  if (lineage.isPending) return lineage;
  if (gaps.isPending) return gaps;
  return {
    isPending: false,
    ...request,
    run: await getRun(db, runId),
    graphVersion: stored.graphVersion ?? 1,
    graph,
    districtsVersion: await readDistrictsVersion(db),
    record: await readRecord(db, runId),
    history: await listRecordChanges(db, runId, { limit: mostChanges, offset: 0 }),
    plan: await getRunPlan(db, runId),
    lineage,
    areas: await readPart(areas),
    judged: await readPart(judged),
    gaps,
    limits: await Promise.all(limits.flatMap((each) => (each.isPending ? [] : [readPart(each)]))),
    maps: maps.flatMap((each) => (each.isPending ? [] : [each])),
    digests: await digestsOf(db, stored),
  };
}

/** Returns the hectares of the zoning, as in `GET /datasets/{id}/areas`. @throws {Problem} */
async function areasOfZoning(dependencies: ReportDependencies, zoningId: string) {
  const { db, recentDatasets } = dependencies;
  const cog = cogOf(await recentDatasets.read(zoningId));
  const counted = await areasOf(dependencies, { cogs: [cog] });
  if (counted.isPending) return counted;
  const { districtsVersion } = counted;
  const digest = await digestOf(db, cog);
  const read = async () => {
    const [figures, names] = [await counted.read(), await readUnits(db)];
    const wordsOf = () => ({ title: null, color: null });
    const answer = { datasetId: zoningId, names, districtsVersion, digest, wordsOf };
    return {
      regions: toDatasetAreas(figures, { ...answer, by: 'region' }),
      districts: toDatasetAreas(figures, { ...answer, by: 'district' }),
    };
  };
  return { read };
}

/** Returns the evaluation of the land by the settings of the run. @throws {Problem} */
async function judgedOf({ zonedRuns }: ReportDependencies, { runId, language }: ReportRequest) {
  const land = await zonedRuns.land(runId, 'region');
  if (land.isPending) return land;
  const judging = { runId, zoning: runCaseOf(land.run.params), language };
  const read = async () => {
    const table = await land.read();
    return { conflicts: conflictsOf(table, judging), stability: stabilityOf(table, judging) };
  };
  return { read };
}

/** Reads the SHA-256 of the outputs that the nodes of a run have made or reused; deleted ones are left out. */
async function digestsOf(db: Database, { nodes }: StoredRun): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('dataset_files')
    .innerJoin('objects', 'objects.key', 'dataset_files.object_key')
    .select(['dataset_id', sql<string | null>`encode(objects.sha256, 'hex')`.as('sha256')])
    .where('kind', '=', 'cog')
    .where('encoding', '=', 'identity')
    .where(
      'dataset_id',
      'in',
      nodes.flatMap(({ outputId }) => outputId ?? []),
    )
    .execute();
  return new Map(rows.flatMap(({ dataset_id: id, sha256 }) => (sha256 === null ? [] : [[id, sha256]])));
}
