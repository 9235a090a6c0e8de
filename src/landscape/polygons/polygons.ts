import { sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { type PendingResult, type ResultKind, want } from '../../jobs/results.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { storedMessage } from '../../geo/findings.ts';
import { PolygonsResult } from '../../geo/protocol.ts';
import type { Message } from '../../lib/message.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { polygonProblems, tooManyZones } from '../../messages/zoning/english.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { nodeWords } from '../groups/graph-words.ts';
import { nodeByCode } from '../graph/graph.ts';
import { readRun } from '../runs/run-rows.ts';
import { PolygonsInput, type RunPolygons } from './polygons-schema.ts';
import { outputsOf, sourcesOf } from './sources.ts';
import { toHectares } from '../../../common/formats/hectares.ts';

const mostListed = 100;

/** The result is a dataset of the user; the row is deleted with it. */
export const polygons = {
  job: 'make-polygons',
  table: 'landscape_polygons',
  content: z.object({}),
  waiting: { most: 16, refuse: polygonProblems.tooManyWaiting },
  kept: sql`interval '90 days'`,
  lasting: sql<SqlBool>`dataset_id is not null`,
  notNow: polygonProblems.failed,
} as const satisfies ResultKind<z.ZodRawShape>;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

export interface FoundPolygons {
  readonly isPending: false;
  /** Describes them in a language. */
  view(language: Language): RunPolygons;
}

const Figures = PolygonsResult.omit({ path: true });
type PolygonFigures = z.infer<typeof Figures>;

/**
 * Returns the polygons of a run, or has them made: once for all runs with the same rasters, for any number of processes.
 * @throws {Problem} when they could not be made, when too many wait, and as `sourcesOf` does
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
  const columns = {
    raster_id: classes.datasetId,
    run_id: runId,
    node: input.node,
    min_area_ha: input.min_area_ha,
    cut_by: input.by,
    districts_version: districtsVersion,
  };
  const lock = async (trx: Transaction) => await keepRaster(trx, classes.datasetId);
  const found = await want(dependencies, polygons, key, { columns, lock });
  if (found.isPending) return found;
  const [row] = await rowsWhere(db, sql`polygons.id = ${found.id}`);
  if (row === undefined) throw polygonProblems.gone();
  return { isPending: false, view: (language) => viewOf(row, runId, language) };
}

/** Lists the polygons that were requested for the rasters of a run, newest first. @throws {Problem} `not_found` */
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
    .select('datasets.status as dataset_status')
    .where(sql<boolean>`${condition}`)
    .orderBy('polygons.created_at', 'desc')
    .orderBy('polygons.id')
    .limit(mostListed)
    .execute();
}

type Row = Awaited<ReturnType<typeof rowsWhere>>[number];

/** Locks the raster until the transaction ends. @throws {Problem} when it was deleted */
async function keepRaster(trx: Transaction, id: string): Promise<void> {
  const there = await trx
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (there === undefined) throw polygonProblems.gone();
}

function viewOf(row: Row, runId: string, language: Language): RunPolygons {
  const figures = row.figures === null ? null : Figures.parse(JSON.parse(row.figures));
  const failure = row.state === 'failed' ? storedMessage(row.failure) : undefined;
  const words = nodeWords(language, row.node).classes ?? {};
  const colours = new Map(
    nodeByCode(row.node)?.legend.entries.map(({ value, color }) => [value, color] as const),
  );
  const sum = (of: (each: PolygonFigures['classes'][number]) => number) =>
    figures === null ? null : toHectares(figures.classes.reduce((total, each) => total + of(each), 0));
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
        pixels_ha: toHectares(before.pixels_m2),
        polygons_ha: toHectares(area),
        difference_ha: toHectares(area - before.pixels_m2),
      })) ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** Reads the third fact of the message about too many zones, which a child process has written. */
function fittingOf(failure: Message | undefined): number | null {
  if (failure?.sentence?.code !== tooManyZones) return null;
  const [, , fitting] = failure.sentence.facts;
  return typeof fitting === 'number' && Number.isFinite(fitting) ? fitting : null;
}
