import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { createFeatureWriter } from '../../../src/geo/child/vector/features/feature-writer.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import type { InputWork } from '../../../src/landscape/compute/input-work.ts';
import { createInputHandler } from '../../../src/landscape/make/make-input-job.ts';
import { createJobHandlers } from '../../../src/runtime/worker/handlers.ts';
import { startTestApp } from '../app.ts';
import { insertCategory, setState } from '../datasets.ts';
import { writeRaster } from '../geo/geotiffs.ts';
import { openRasterEngineHere } from '../geo/raster-conversion.ts';
import { insertRaster } from '../geo/rasters.ts';
import { createMakingEngine } from './making-engine.ts';

type Ring = readonly (readonly [longitude: number, latitude: number])[];

export interface VectorFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygon?: Ring;
  readonly line?: Ring;
}

/** A grid of 0.1° in longitude and latitude. */
export const tenths = {
  width: 30,
  height: 20,
  affine: [60, 0.1, 0, 50, 0, -0.1],
  epsg: 4326,
} as const;

/** Returns a closed ring around a box in degrees. */
export const ringOf = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** Starts an app with a worker in this process that makes input rasters and converts them. */
export async function startMakingApp() {
  const app = await startTestApp({ landscape: true });
  const { db, pool, objectStore, messageQueue } = app.services;
  const here = await openRasterEngineHere();
  const making = {
    /** Number of attempts. */
    times: 0,
    before: async (_work: InputWork): Promise<void> => await Promise.resolve(),
  };
  const engine = createMakingEngine();
  const landscape: typeof engine = {
    async makeInput(task) {
      making.times += 1;
      await making.before(task.work);
      return await engine.makeInput(task);
    },
  };
  const start = () =>
    startWorker({
      db,
      objectStore,
      messageQueue,
      handlers: {
        ...createJobHandlers({ db, pool, objectStore, engine: here.engine }),
        'make-input': createInputHandler({
          db,
          objectStore,
          messageQueue,
          engines: { geo: here.engine, landscape },
        }),
      },
      concurrency: 2,
      scratchRoot: join(here.folder, 'scratch'),
      log: pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' }),
      timing: { pollEveryMs: 50 },
    });
  let worker = start();
  const category = await insertCategory(db);
  return {
    app,
    db,
    making,
    folder: here.folder,
    /** Adds a ready raster and returns its id. */
    async addRaster(
      value: (column: number, row: number) => number,
      { raster = {}, columns = {} }: { readonly raster?: object; readonly columns?: object } = {},
    ): Promise<string> {
      const path = join(here.folder, 'raster.tif');
      writeRaster(path, { ...tenths, noData: -9999, ...raster, value });
      const id = await insertRaster(db, { category_id: category, name: 'Растр', view_state: 'none' });
      await setState(app.services, id, {}, { cog: await readFile(path) });
      await setState(app.services, id, { ...columns });
      return id;
    },
    /** Adds a ready vector and returns its id. */
    async addVector(features: readonly VectorFeature[], columns: object = {}): Promise<string> {
      const writer = createFeatureWriter(await mkdtemp(join(here.folder, 'features-')), {
        warn: () => undefined,
      });
      for (const { properties, polygon, line } of features)
        writer.add({
          properties: Buffer.from(JSON.stringify(properties)),
          parts: {
            points: [],
            lines: line === undefined ? [] : [line.flat()],
            polygons: polygon === undefined ? [] : [[polygon.flat()]],
          },
          isMulti: false,
        });
      const written = writer.finish();
      if (written === undefined) throw new Error('a FlatGeobuf holds these features');
      const id = await insertRaster(db, {
        category_id: category,
        name: 'Карта почв',
        file_type: 'vector',
        view_state: null,
      });
      await setState(app.services, id, { ...columns }, { fgb: await readFile(written.path) });
      return id;
    },
    async restartWorker(): Promise<void> {
      await worker.stop();
      worker = start();
    },
    async close(): Promise<void> {
      await worker.stop();
      await app.close();
      await here.close();
    },
  };
}
