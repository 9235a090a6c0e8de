import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import { type AlsoWrite, inTransaction } from '../database/transaction.ts';
import { addMadeDataset } from '../datasets/made/made-dataset.ts';
import { findMissingReferences } from '../datasets/references.ts';
import type { GeoEngine, SourceTask } from '../geo/engine.ts';
import { storedMessage } from '../geo/findings.ts';
import {
  type SourceAxis,
  type SourceDescription,
  sourceLimits,
  type SourceRaster,
  type SourceVariable,
} from '../geo/source.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { Attempt } from '../jobs/handler.ts';
import { makerOf, resultOf } from '../jobs/result-kinds.ts';
import { jsonText } from '../jobs/results.ts';
import type { LandscapeEngine } from '../landscape/compute/landscape-engine.ts';
import { invalidFields, type Problem } from '../lib/errors.ts';
import { Message } from '../lib/message.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { rasterFaults, sourceFileProblems, sourceProblems } from '../messages/sources/english.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { bringSource } from './descriptions.ts';
import {
  ChosenTile,
  MosaicFigures,
  mostRasters,
  PlannedDataset,
  type RasterOrder,
  type RastersInput,
} from './schema.ts';
import type { SourceFileRow } from './source-files.ts';
import { chooseTiles, makeMosaic } from './tiles.ts';

const Order = z.object({
  sourceId: z.string(),
  variable: z.string(),
  unit: z.string().nullable(),
  categoryId: z.string(),
  groupId: z.string().nullable(),
  crs: z.string().nullable(),
  rasters: z.array(PlannedDataset).min(1).max(sourceLimits.rastersAtOnce),
  /** The tiles of a ZIP, which become one raster. */
  tiles: z.array(ChosenTile).max(sourceLimits.tiles).optional(),
});
type Order = z.infer<typeof Order>;

const Made = z.object({ datasets: z.array(z.string()), mosaic: MosaicFigures.optional() });
type Made = z.infer<typeof Made>;

const rasterOrders = resultOf({
  name: 'source-rasters',
  input: Order,
  content: z.object({ content: jsonText(Made) }),
  kept: sql`interval '30 days'`,
  notNow: sourceFileProblems.readFailed,
});

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

/**
 * Orders rasters of a file, up to 32 per job, all in one transaction.
 * @throws {Problem} `invalid` for anything that the file does not have, or that the catalogue lacks.
 */
export async function orderRasters(
  { db, messageQueue }: Dependencies,
  source: SourceFileRow,
  { description, wanted }: { readonly description: SourceDescription; readonly wanted: RastersInput },
  alsoWrite: AlsoWrite<readonly RasterOrder[]>,
): Promise<readonly RasterOrder[]> {
  const missing = await findMissingReferences(db, {
    category_id: wanted.category_id,
    ...(wanted.dg_id !== undefined && { dg_id: wanted.dg_id }),
  });
  if (Object.keys(missing).length > 0) throw invalidFields(missing);
  const { variable, rasters, tiles } = planRasters(source, description, wanted);
  const batches: Order[] = [];
  for (let at = 0; at < rasters.length; at += sourceLimits.rastersAtOnce)
    batches.push({
      sourceId: source.id,
      variable: variable.name,
      unit: variable.unit ?? null,
      categoryId: wanted.category_id,
      groupId: wanted.dg_id ?? null,
      crs: wanted.crs ?? null,
      rasters: rasters.slice(at, at + sourceLimits.rastersAtOnce),
      ...(tiles !== undefined && { tiles: [...tiles] }),
    });
  const added = await inTransaction(db, async (trx) => {
    const kept = await trx
      .updateTable('source_files')
      .set({ used_at: sql<Date>`now()` })
      .where('id', '=', source.id)
      .executeTakeFirst();
    if (kept.numUpdatedRows === 0n) throw sourceFileProblems.notFound();
    const orders = await Array.fromAsync(batches, async (order) => {
      const id = randomUUID();
      // A repeated request makes its rasters again, because the first ones may be deleted by now.
      await sql`insert into results (id, key, kind, state, input)
        values (${id}, ${`source-rasters ${id}`}, ${rasterOrders.name}, 'pending', ${JSON.stringify(order)})`.execute(
        trx,
      );
      const jobId = await enqueueJob(trx, 'make-result', id);
      return { jobId, order: toRasterOrder({ id, state: 'pending', order }) };
    });
    await alsoWrite(
      trx,
      orders.map(({ order }) => order),
    );
    return orders;
  });
  for (const { jobId } of added) await messageQueue.notify(jobId, 'datasets');
  return added.map(({ order }) => order);
}

interface StoredOrder extends Pick<RasterOrder, 'id' | 'state'> {
  readonly order: Order;
  readonly made?: Made;
  readonly failure?: string;
}

function toRasterOrder({ id, state, order, made, failure }: StoredOrder): RasterOrder {
  return {
    id,
    state,
    rasters: order.rasters.map(({ name, startDate, endDate }, index) => ({
      name,
      start_date: startDate,
      end_date: endDate,
      dataset_id: made?.datasets[index] ?? null,
    })),
    mosaic: made?.mosaic ?? null,
    failure: failure ?? null,
  };
}

/** Returns the rasters of a request with their names and periods. @throws {Problem} `invalid` */
function planRasters(
  { filename }: SourceFileRow,
  description: SourceDescription,
  wanted: RastersInput,
): {
  readonly variable: SourceVariable;
  readonly rasters: readonly PlannedDataset[];
  readonly tiles?: readonly ChosenTile[];
} {
  const variable = description.variables.find(({ name }) => name === wanted.variable);
  if (variable === undefined)
    throw invalidFields({ variable: messageOf(sourceProblems.noVariable(wanted.variable)) });
  const { refusal } = variable;
  if (refusal !== undefined)
    throw invalidFields({ variable: new Message(refusal.message, refusal.sentence) });
  const axes = variable.axes.flatMap((index) => description.axes[index] ?? []);
  const { axis: along, steps = [0], positions = {} } = wanted;
  if (along !== undefined && !axes.some(({ name }) => name === along))
    throw invalidFields({ axis: messageOf(sourceProblems.noPosition(along)) });
  if (description.tiles !== undefined) {
    const tiles = chooseTiles(description, wanted);
    const name = wanted.name ?? filename.replace(/\.zip$/i, '');
    const labels = { tiles: tiles.length, ...(wanted.onto !== undefined && { onto: wanted.onto }) };
    return { variable, tiles, rasters: [{ ...planned(variable, name, []), labels }] };
  }
  for (const field of ['tiles', 'onto'] as const)
    if (wanted[field] !== undefined) throw invalidFields({ [field]: rasterFaults.onlyTiles });
  if (variable.crs === undefined && wanted.crs === undefined)
    throw invalidFields({ crs: rasterFaults.noCrs });
  if (variable.crs !== undefined && wanted.crs !== undefined)
    throw invalidFields({ crs: rasterFaults.knownCrs });
  if (steps.length > mostRasters) throw invalidFields({ steps: rasterFaults.tooMany(mostRasters) });
  if (new Set(steps).size !== steps.length) throw invalidFields({ steps: rasterFaults.repeated });
  const rasters = (along === undefined ? [undefined] : steps).map((step) => {
    const own = axes.map((axis) => {
      const position =
        axis.name === along ? step : (positions[axis.name] ?? (axis.size === 1 ? 0 : undefined));
      if (position === undefined || position >= axis.size)
        throw invalidFields({
          [axis.name === along ? 'steps' : 'positions']: messageOf(sourceProblems.noPosition(axis.name)),
        });
      return { axis, position };
    });
    return planned(variable, wanted.name, own);
  });
  return { variable, rasters };
}

function planned(
  variable: SourceVariable,
  name: string | undefined,
  places: readonly { readonly axis: SourceAxis; readonly position: number }[],
): PlannedDataset {
  const time = places.find(({ axis }) => axis.periods !== undefined);
  const [startDate = null, endDate = null] = time?.axis.periods?.[time.position] ?? [];
  const labels = places.map(({ axis, position }) => [axis.name, axis.values[position] ?? position] as const);
  const others = places
    .filter(({ axis }) => axis.periods === undefined && axis.size > 1)
    .map(({ axis, position }) => `${axis.name} ${axis.values[position] ?? position}`);
  const title = name ?? variable.title ?? variable.name;
  return {
    name: [title, ...others, ...(time === undefined ? [] : [periodText(startDate, endDate, labelOf(time))])]
      .join(' ')
      .slice(0, 255),
    positions: Object.fromEntries(places.map(({ axis, position }) => [axis.name, position])),
    labels: Object.fromEntries(labels),
    startDate: isCalendarDate(startDate) ? startDate : null,
    endDate: isCalendarDate(endDate) ? endDate : null,
  };
}

const labelOf = ({ axis, position }: { readonly axis: SourceAxis; readonly position: number }) =>
  String(axis.values[position] ?? position);

/** Dates before the year 1 have no place in the catalogue. */
const isCalendarDate = (date: string | null): date is string =>
  date !== null && /^(?!0000)\d{4}-\d\d-\d\d$/.test(date);

/** Writes a year, a month, a day, or a day with its time. */
function periodText(start: string | null, end: string | null, label: string): string {
  if (start === null || end === null) return label;
  if (start === end) return label.endsWith('T00:00:00') ? start : label.replace('T', ' ');
  if (start.endsWith('-01-01') && end === `${start.slice(0, -6)}-12-31`) return start.slice(0, -6);
  if (start.endsWith('-01') && start.slice(0, -3) === end.slice(0, -3)) return start.slice(0, -3);
  return `${start} – ${end}`;
}

const messageOf = ({ message, sentence }: Problem): Message => new Message(message, sentence);

/** Returns the orders of a file, the newest first. */
export async function listOrders(db: Database, sourceId: string, language: Language): Promise<RasterOrder[]> {
  const { rows } = await sql<{
    id: string;
    state: 'pending' | 'made' | 'failed';
    input: string;
    content: string | null;
    failure: string | null;
  }>`select id, state, input, content, failure from results
    where kind = ${rasterOrders.name} and input::jsonb ->> 'sourceId' = ${sourceId}
    order by changed_at desc, id limit 1000`.execute(db);
  return rows.map(({ id, state, input, content, failure }) => {
    const reason = failure === null ? undefined : storedMessage(failure);
    return toRasterOrder({
      id,
      state,
      order: Order.parse(JSON.parse(input)),
      ...(content !== null && { made: rasterOrders.content.parse({ content }).content }),
      ...(reason !== undefined && { failure: translate(reason, language) }),
    });
  });
}

interface MakerDependencies extends Dependencies {
  readonly objectStore: ObjectStore;
  readonly engine: GeoEngine;
  readonly landscapeEngine: Pick<LandscapeEngine, 'makeInput'>;
}

/** Makes the rasters of an order, and adds them as datasets in the transaction that ends the job. */
export const createRastersMaker = (parts: MakerDependencies) =>
  makerOf(rasterOrders, async (attempt, { input: order }) => {
    const { db, messageQueue } = parts;
    const source = await db
      .selectFrom('source_files')
      .selectAll()
      .where('id', '=', order.sourceId)
      .executeTakeFirst();
    if (source === undefined) return undefined;
    const task = await bringSource(parts, attempt, source);
    const { made, mosaic } = await makeOrder(parts, attempt, task, order);
    const datasets = await Array.fromAsync(made, async ({ path, sizeBytes }, index) => {
      const id = randomUUID();
      const key = await attempt.store(`originals/${id}`, '.tif', { path });
      return { id, key, sizeBytes, raster: order.rasters[index] };
    });
    const jobs: string[] = [];
    return {
      content: JSON.stringify({ datasets: datasets.map(({ id }) => id), mosaic }),
      async alsoWrite(trx) {
        for (const { id, key, sizeBytes, raster } of datasets) {
          if (raster === undefined) throw new Error('the geo engine made a raster that was not ordered');
          const { jobId } = await addMadeDataset(trx, {
            id,
            fields: {
              fileType: 'raster',
              name: raster.name,
              categoryId: order.categoryId,
              groupId: order.groupId,
              unit: order.unit,
              startDate: raster.startDate,
              endDate: raster.endDate,
              meta: {
                source_file: source.filename,
                source_sha256: source.sha256,
                variable: order.variable,
                positions: raster.labels,
              },
            },
            file: {
              key,
              filename: `${fileStem(order.variable)}-${raster.startDate ?? 'raster'}.tif`,
              sizeBytes,
            },
          });
          jobs.push(jobId);
        }
      },
      async afterwards() {
        for (const jobId of jobs) await messageQueue.notify(jobId, 'datasets');
      },
    };
  });

async function makeOrder(
  { engine: geo, landscapeEngine: landscape }: MakerDependencies,
  attempt: Attempt,
  task: SourceTask,
  { variable, crs, rasters, tiles }: Order,
): Promise<{ readonly made: readonly SourceRaster[]; readonly mosaic?: MosaicFigures }> {
  const choices = rasters.map(({ positions }) => ({ variable, positions, ...(crs !== null && { crs }) }));
  const [choice] = choices;
  if (tiles === undefined || choice === undefined)
    return { made: await geo.makeRasters({ ...task, choices }) };
  const { path, figures } = await makeMosaic({ geo, landscape }, attempt, task, { tiles, choice });
  return { made: [{ path, sizeBytes: (await stat(path)).size }], mosaic: figures };
}

/** Keeps letters and digits of a variable's name. */
const fileStem = (variable: string): string =>
  variable
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80) || 'raster';
