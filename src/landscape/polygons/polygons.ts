import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { PendingResult } from '../../jobs/requested-results.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { storedMessage } from '../../geo/findings.ts';
import { PolygonsResult } from '../../geo/protocol.ts';
import { enqueueMissingJob } from '../../jobs/enqueue.ts';
import { failedColumns, hasJob, mayRetry } from '../../jobs/requested-results.ts';
import type { Failure } from '../../jobs/handler.ts';
import { Problem } from '../../lib/errors.ts';
import type { Message } from '../../lib/message.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { landscapeProblems } from '../../messages/landscape/runs.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { polygonProblems, tooManyZones } from '../../messages/landscape/polygons.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { nodeWords } from '../groups/graph-words.ts';
import { nodeByCode } from '../graph/graph.ts';
import { readRun } from '../runs/run-rows.ts';
import { PolygonsInput, type RunPolygons } from './polygons-schema.ts';
import { outputsOf, sourcesOf } from './sources.ts';
import { squareMetresPerHectare } from '../../../common/formats/hectares.ts';

/** Polygons that may wait to be made at once. */
const mostWaiting = 16;
const mostListed = 100;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

/** Polygons that are made. */
export interface FoundPolygons {
  readonly isPending: false;
  /** What they look like in a language. */
  view(language: Language): RunPolygons;
}

const Figures = PolygonsResult.omit({ path: true });
type PolygonFigures = z.infer<typeof Figures>;

/**
 * Returns the polygons of a run, or has them made: once for all runs with the same rasters, however many processes ask. @throws {Problem} when
 * they could not be made, when too many wait, and as `sourcesOf` does
 */
export async function polygonsOf(
  dependencies: Dependencies,
  runId: string,
  body: unknown,
): Promise<FoundPolygons | PendingResult> {
  const { db } = dependencies;
  const run = await readRun(db, runId);
  if (run === undefined) throw landscapeProblems.noSuchRun();
  const input = parseBody(PolygonsInput, body);
  const districtsVersion = input.by === null ? null : await readDistrictsVersion(db);
  const { key, classes } = await sourcesOf(db, run, input, districtsVersion);
  const [row] = await rowsWhere(db, sql`polygons.key = ${key}`);
  if (row?.state === 'made') return { isPending: false, view: (language) => viewOf(row, runId, language) };
  if (row?.state === 'failed' && row.is_final) throw new Problem('invalid', storedMessage(row.failure));
  if (row?.state === 'failed' && !row.may_retry) throw polygonProblems.failed();
  if (row?.state === 'pending' && row.has_job) return { isPending: true, ref: row.id };
  const wanted = { key, rasterId: classes.datasetId, runId, input, districtsVersion };
  return { isPending: true, ref: await start(dependencies, wanted) };
}

/** Lists what was asked for of the rasters of a run, newest first. @throws {Problem} `not_found` */
export async function listPolygons(db: Database, runId: string, language: Language): Promise<RunPolygons[]> {
  const run = await readRun(db, runId);
  if (run === undefined) throw landscapeProblems.noSuchRun();
  const rows = await rowsWhere(db, sql`polygons.raster_id = any(${[...outputsOf(run).values()]}::uuid[])`);
  return rows.map((row) => viewOf(row, runId, language));
}

async function rowsWhere(db: Database, condition: ReturnType<typeof sql<boolean>>) {
  return await db
    .selectFrom('landscape_polygons as polygons')
    .leftJoin('datasets', 'datasets.id', 'polygons.dataset_id')
    .selectAll('polygons')
    .select([
      'datasets.status as dataset_status',
      hasJob('polygons').as('has_job'),
      mayRetry('polygons').as('may_retry'),
    ])
    .where(sql<boolean>`${condition}`)
    .orderBy('polygons.created_at', 'desc')
    .orderBy('polygons.id')
    .limit(mostListed)
    .execute();
}

type Row = Awaited<ReturnType<typeof rowsWhere>>[number];

interface Wanted {
  readonly key: string;
  readonly rasterId: string;
  readonly runId: string;
  readonly input: PolygonsInput;
  readonly districtsVersion: number | null;
}

/** @returns what the job is about. */
async function start({ db, messageQueue }: Dependencies, wanted: Wanted): Promise<string> {
  const { key, rasterId, runId, input, districtsVersion } = wanted;
  const { ref, jobId } = await inTransaction(db, async (trx) => {
    await refuseCrowd(trx, key);
    await keepRaster(trx, rasterId);
    await sql`
      insert into landscape_polygons (id, key, raster_id, run_id, node, min_area_ha, cut_by, districts_version, state)
        values (${randomUUID()}, ${key}, ${rasterId}, ${runId}, ${input.node}, ${input.min_area_ha}, ${input.by},
          ${districtsVersion}, 'pending')
      on conflict (key) do update set state = 'pending', run_id = excluded.run_id, failure = null, is_final = false, changed_at = now()
        where landscape_polygons.state = 'failed'`.execute(trx);
    const row = await trx
      .selectFrom('landscape_polygons')
      .select(['id', 'state'])
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow();
    return { ref: row.id, jobId: await enqueueMissingJob(trx, 'make-polygons', row) };
  });
  if (jobId !== undefined) await messageQueue.notify(jobId, 'datasets');
  return ref;
}

/** Keeps the raster until the transaction ends. @throws {Problem} once it is gone */
async function keepRaster(trx: Transaction, id: string): Promise<void> {
  const there = await trx
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (there === undefined) throw polygonProblems.gone();
}

async function refuseCrowd(trx: Transaction, key: string): Promise<void> {
  const { count } = await trx
    .selectFrom('landscape_polygons')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('state', '=', 'pending')
    .where('key', '<>', key)
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostWaiting) throw polygonProblems.tooManyWaiting();
}

/** Keeps why polygons could not be made; what is to blame on the raster or the parameters is final. */
export async function recordPolygonFailure(trx: Transaction, id: string, failure: Failure): Promise<void> {
  await trx
    .updateTable('landscape_polygons')
    .set(failedColumns(failure))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

function viewOf(row: Row, runId: string, language: Language): RunPolygons {
  const figures = row.figures === null ? null : Figures.parse(JSON.parse(row.figures));
  const failure = row.state === 'failed' ? storedMessage(row.failure) : undefined;
  const words = nodeWords(language, row.node).classes ?? {};
  const colours = new Map(
    nodeByCode(row.node)?.legend.entries.map(({ value, color }) => [value, color] as const),
  );
  const sum = (of: (each: PolygonFigures['classes'][number]) => number) =>
    figures === null
      ? null
      : figures.classes.reduce((total, each) => total + of(each), 0) / squareMetresPerHectare;
  return {
    id: row.id,
    run_id: runId,
    node: row.node,
    raster_id: row.raster_id,
    min_area_ha: row.min_area_ha,
    by: row.cut_by,
    districts_version: row.districts_version,
    state: row.state,
    error: failure === undefined ? null : translate(failure, language),
    fitting_min_area_ha: fittingOf(failure),
    dataset_id: row.dataset_id,
    dataset_status: row.dataset_status,
    zones: figures?.zones ?? null,
    zones_below_minimum: figures?.belowMinimum ?? null,
    positions: figures?.positions ?? null,
    pixels_ha: sum(({ before }) => before.pixels_m2),
    polygons_ha: sum(({ polygons_m2: area }) => area),
    classes:
      figures?.classes.map(({ value, before, after, polygons_m2: area }) => ({
        value,
        title: words[value] ?? null,
        color: colours.get(value) ?? null,
        zones_before: before.zones,
        zones: after.zones,
        pixels_ha: before.pixels_m2 / squareMetresPerHectare,
        polygons_ha: area / squareMetresPerHectare,
        difference_ha: (area - before.pixels_m2) / squareMetresPerHectare,
      })) ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The third fact of the sentence about too many zones, which a child has made. */
function fittingOf(failure: Message | undefined): number | null {
  if (failure?.sentence?.code !== tooManyZones) return null;
  const [, , fitting] = failure.sentence.facts;
  return typeof fitting === 'number' && Number.isFinite(fitting) ? fitting : null;
}
