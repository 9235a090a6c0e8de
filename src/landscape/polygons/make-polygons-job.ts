import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { districtLines, UnitsChanged } from '../../areas/unit-lines.ts';
import type { Database } from '../../database/tables/tables.ts';
import { addMadeDataset } from '../../datasets/made/made-dataset.ts';
import { readStatistics } from '../../datasets/statistics.ts';
import { EngineDied, type GeoEngine } from '../../geo/engine.ts';
import type { ClassWords, MadePolygons } from '../../geo/polygons.ts';
import type { Attempt, JobHandler } from '../../jobs/handler.ts';
import { discardResult, publishResult, resultHandler } from '../../jobs/results.ts';
import { Problem } from '../../lib/errors.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { polygonPhrases, polygonProblems } from '../../messages/zoning/english.ts';
import { bringObject, ObjectMissing, type ObjectStore } from '../../object-store/object-store.ts';
import { notAllocableCode, zoneOfCode } from '../../../common/landscape/zoning.ts';
import { listUnits } from '../../units/names/current-units.ts';
import { functionalZoning, leadingSector, useZone } from '../graph/nodes.ts';
import { ensureLandscapeCategory } from '../groups/group-rows.ts';
import { nodeWords } from '../groups/graph-words.ts';
import type { GraphNode } from '../model/node.ts';
import { readRun } from '../runs/run-rows.ts';
import { polygons } from './polygons.ts';
import { type PolygonSources, sourcesOf } from './sources.ts';
import { squareMetresPerHectare, toHectares } from '../../../common/formats/hectares.ts';

/** The limit of the processing of datasets: docs/decisions/0055. */
const mostZones = 100_000;
const mostPositions = 3_000_000;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly engine: GeoEngine;
  readonly messageQueue: MessageQueue;
}

/** Creates the handler that makes polygons of zones. */
export const createPolygonsHandler = (dependencies: Dependencies): JobHandler =>
  resultHandler(polygons, async (attempt) => await makePolygons(dependencies, attempt));

async function readWanted({ db }: Dependencies, id: string) {
  const row = await db
    .selectFrom('landscape_polygons')
    .select(['key', 'run_id', 'node', 'min_area_ha', 'cut_by as by', 'districts_version as version'])
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  const run = row && (await readRun(db, row.run_id));
  return row === undefined || run === undefined ? undefined : { ...row, run };
}

type Wanted = NonNullable<Awaited<ReturnType<typeof readWanted>>>;

async function makePolygons(dependencies: Dependencies, attempt: Attempt): Promise<void> {
  const { db, messageQueue } = dependencies;
  const wanted = await readWanted(dependencies, attempt.refId);
  if (wanted === undefined) return; // deleted, or already made
  const sources = await sourcesOf(db, wanted.run, wanted, wanted.version).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  const made =
    sources?.key === wanted.key ? await polygonsOf(dependencies, attempt, { wanted, sources }) : undefined;
  if (sources === undefined || made === undefined) return await discardResult(attempt, 'landscape_polygons');
  await compareWithStatistics(db, sources.classes.datasetId, made);
  const { path, ...figures } = made;
  const { size: sizeBytes } = await stat(path);
  const key = await attempt.store('originals', '.gpkg', { path });
  let jobId: string | undefined;
  await attempt.publish(async (trx) => {
    const row = await trx
      .selectFrom('landscape_polygons')
      .select('id')
      .where('id', '=', attempt.refId)
      .where('state', '=', 'pending')
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return; // the raster was deleted
    const { node, classes } = sources;
    const id = randomUUID();
    const added = await addMadeDataset(trx, {
      id,
      fields: {
        fileType: 'vector',
        name: polygonPhrases.dataset(node.output.title).english,
        categoryId: await ensureLandscapeCategory(trx),
        startDate: classes.startDate,
        endDate: classes.endDate,
        meta: {
          run_id: wanted.run_id,
          node: node.code,
          raster_id: classes.datasetId,
          min_area_ha: wanted.min_area_ha,
          by: wanted.by,
          districts_version: wanted.version,
        },
      },
      file: { key, filename: `${node.output.group}-zones.gpkg`, sizeBytes },
    });
    ({ jobId } = added);
    await publishResult(trx, 'landscape_polygons', attempt.refId, {
      dataset_id: id,
      figures: JSON.stringify(figures),
    });
  });
  if (jobId !== undefined) await messageQueue.notify(jobId, 'datasets');
}

/** Tolerance between hectares that two child processes have counted, as a share. */
const rounding = 1e-6;

/** Compares the result with the hectares of classes, which another child process has counted. @throws {EngineDied} when they differ */
async function compareWithStatistics(
  db: Database,
  rasterId: string,
  { classes }: MadePolygons,
): Promise<void> {
  const raster = { id: rasterId, file_type: 'raster', status: 'ready' } as const;
  const counted = await readStatistics(db, raster).catch((error: unknown) => {
    if (error instanceof Problem) return undefined; // not counted yet
    throw error;
  });
  const known = new Map(counted?.bands[0]?.classes?.map(({ value, hectares }) => [value, hectares]));
  for (const { value, before } of classes) {
    const expected = (known.get(value) ?? toHectares(before.pixels_m2)) * squareMetresPerHectare;
    if (Math.abs(before.pixels_m2 - expected) > rounding * expected)
      throw new EngineDied(`the geo engine made polygons of other hectares of ${value} than were counted`);
  }
}

/** Makes the polygons; undefined when the units have changed. */
async function polygonsOf(
  dependencies: Dependencies,
  { scratch, signal }: Attempt,
  { wanted, sources }: { readonly wanted: Wanted; readonly sources: PolygonSources },
): Promise<MadePolygons | undefined> {
  const { node, classes, suitability, sensitivity } = sources;
  const { objectStore, engine } = dependencies;
  const bring = async (name: string, key: string) => {
    const path = join(scratch, `${name}.tif`);
    await bringObject(objectStore, key, { path, isGuarded: engine.guardsInput, signal }).catch(
      (error: unknown) => {
        throw error instanceof ObjectMissing ? polygonProblems.gone().because(error) : error;
      },
    );
    return path;
  };
  let cut;
  try {
    cut = await writeUnits(dependencies, wanted, { path: join(scratch, 'units.jsonl'), signal });
  } catch (error) {
    if (error instanceof UnitsChanged) return undefined;
    throw error;
  }
  const folder = join(scratch, 'engine');
  await mkdir(folder);
  return await engine.makePolygons({
    classesPath: await bring('classes', classes.cogKey),
    suitabilityPath: suitability && (await bring('suitability', suitability.cogKey)),
    sensitivityPath: sensitivity && (await bring('sensitivity', sensitivity.cogKey)),
    cut,
    minAreaM2: (wanted.min_area_ha ?? 0) * squareMetresPerHectare,
    maxZones: mostZones,
    maxPositions: mostPositions,
    classes: wordsOf(node),
    layer: `${node.output.title} (${node.code})`,
    description: descriptionOf(wanted),
    changedAt: classes.createdAt.toISOString(),
    scratch: folder,
    signal,
  });
}

const setsOf = (by: NonNullable<Wanted['by']>) => (by === 'all' ? (['district', 'region'] as const) : [by]);

async function writeUnits(
  { db }: Dependencies,
  { by, version }: Wanted,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
) {
  if (by === null) return undefined;
  await pipeline(Readable.from(districtLines(db, version ?? 0)), createWriteStream(path), { signal });
  const units = await listUnits(db);
  return {
    unitsPath: path,
    sets: setsOf(by),
    names: Object.fromEntries(units.map(({ kato, name }) => [kato, name])),
  };
}

function descriptionOf({ run_id: run, node, min_area_ha: least, by }: Wanted): string {
  return (
    `Contiguous zones of node ${node} of the run ${run}; smallest zone: ${least === null ? 'any' : `${least} ha`}; ` +
    `cut by: ${by ?? 'nothing'}. Hectares on the ellipsoid of WGS 84. Longitude and latitude; the raster has`
  );
}

/** Returns the texts of the file about the classes of a node. */
function wordsOf(node: GraphNode): ClassWords[] {
  const [en, ru, kk] = (['en', 'ru', 'kk'] as const).map(
    (language) => nodeWords(language, node.code).classes,
  );
  return node.legend.entries.map(({ value, label }) => ({
    value,
    ...zoneAndSector(node, value),
    titles: { en: en?.[value] ?? label, ru: ru?.[value] ?? label, kk: kk?.[value] ?? label },
  }));
}

function zoneAndSector({ code }: GraphNode, value: number): Pick<ClassWords, 'zone' | 'sector'> {
  if (code === leadingSector.code) return { zone: null, sector: value };
  if (code === useZone.code) return { zone: `V${value}`, sector: null };
  if (code !== functionalZoning.code || value === notAllocableCode) return { zone: null, sector: null };
  const zone = zoneOfCode(value);
  return { zone: `V${zone}`, sector: zone < 3 ? value % 10 : null };
}
