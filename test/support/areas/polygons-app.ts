import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import type { EngineTask, PolygonsTask } from '../../../src/geo/engine.ts';
import { createFindings } from '../../../src/geo/gather-findings.ts';
import type { MadePolygons } from '../../../src/geo/polygons.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { createPolygonsHandler } from '../../../src/landscape/polygons/make-polygons-job.ts';
import { createJobHandlers } from '../../../src/runtime/worker/handlers.ts';
import { startTestApp } from '../app.ts';
import { countedDistricts, degrees } from './counting-app.ts';
import { insertCategory, setState } from '../datasets.ts';
import { writeRaster } from '../geo/geotiffs.ts';
import { openRasterEngineHere } from '../geo/raster-conversion.ts';
import { insertRaster } from '../geo/rasters.ts';

/** Starts an app with a worker in this process, which make polygons and datasets from them. */
export async function startPolygonsApp() {
  const app = await startTestApp({ landscape: true });
  const { db, pool, objectStore, messageQueue } = app.services;
  const here = await openRasterEngineHere();
  const making = {
    /** Number of times that polygons were made or refused. */
    times: 0,
    change: (task: PolygonsTask): PolygonsTask => task,
    made: async (made: MadePolygons, _task: PolygonsTask): Promise<MadePolygons> =>
      await Promise.resolve(made),
  };
  const geo = {
    ...here.engine,
    // In this process GDAL has all its drivers, which the GeoPackage reader refuses; test/acceptance covers
    // the whole way.
    async assembleVector({ scratch }: EngineTask) {
      const geojsonPath = join(scratch, 'zones.geojson');
      await writeFile(geojsonPath, '{"type":"FeatureCollection","features":[]}');
      return { geojsonPath, findings: createFindings().gathered() };
    },
    makePolygons: async (task: PolygonsTask) => {
      making.times += 1;
      return await making.made(await here.engine.makePolygons(making.change(task)), task);
    },
  };
  const start = () =>
    startWorker({
      db,
      objectStore,
      messageQueue,
      handlers: {
        ...createJobHandlers({ db, pool, objectStore, engine: geo }),
        'make-polygons': createPolygonsHandler({ db, objectStore, engine: geo, messageQueue }),
      },
      concurrency: 2,
      scratchRoot: join(here.folder, 'scratch'),
      log: pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' }),
      timing: { pollEveryMs: 50 },
    });
  let worker = start();
  await db
    .insertInto('districts')
    .values([...countedDistricts])
    .execute();
  const category = await insertCategory(db);
  return {
    app,
    db,
    making,
    folder: here.folder,
    /** Adds a ready raster of classes and returns its id. */
    async addRaster(value: (column: number, row: number) => number): Promise<string> {
      const path = join(here.folder, 'raster.tif');
      writeRaster(path, { ...degrees, value });
      const id = await insertRaster(db, { category_id: category, name: 'Зоны', view_state: 'none' });
      await setState(app.services, id, {}, { cog: await readFile(path) });
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
