import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import type { AreaCounts, AreaTask, GeoEngine } from '../../../src/geo/engine.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { createResultHandler } from '../../../src/jobs/result-kinds.ts';
import { createFormMaker } from '../../../src/forms/forms.ts';
import { createLayoutMaker } from '../../../src/forms/layouts.ts';
import { createAtlasMaker } from '../../../src/print/atlases.ts';
import { createJobHandlers } from '../../../src/runtime/worker/handlers.ts';
import { createDescriptionMaker } from '../../../src/source-files/descriptions.ts';
import { createRastersMaker } from '../../../src/source-files/rasters.ts';
import { startTestApp } from '../app.ts';
import { box } from './areas.ts';
import { insertCategory, setState } from '../datasets.ts';
import { writeRaster } from '../geo/geotiffs.ts';
import { openRasterEngineHere } from '../geo/raster-conversion.ts';
import { insertRaster } from '../geo/rasters.ts';
import { createMakingEngine } from '../landscape/making-engine.ts';

const names = { name_kk: null, name_en: null };
/** Two districts of one region, each 2° by 2°. */
export const countedDistricts = [
  {
    kato_code: '100000000',
    level: 'region',
    name: 'Область',
    ...names,
    geometry: JSON.stringify(box(60, 48, 64, 50)),
  },
  {
    kato_code: '101000000',
    level: 'district',
    name: '=Западный, район',
    ...names,
    name_kk: 'Батыс',
    geometry: JSON.stringify(box(60, 48, 62, 50)),
  },
  {
    kato_code: '102000000',
    level: 'district',
    name: 'Восточный',
    ...names,
    geometry: JSON.stringify(box(62, 48, 64, 50)),
  },
] as const;
/** The first district and half of the second. */
export const degrees = {
  width: 30,
  height: 20,
  affine: [60, 0.1, 0, 50, 0, -0.1],
  epsg: 4326,
  dataType: 'Byte',
  noData: 0,
} as const;

/** No data in the north; 11 in the west and 22 in the east of the rest. */
export const zones = (column: number, row: number) => (row < 5 ? 0 : column < 10 ? 11 : 22);

/** Starts an app with a worker in this process. The worker counts areas over a few units, makes atlases and fills forms. */
export async function startCountingApp({ hasWorker = true } = {}) {
  const app = await startTestApp({ landscape: true });
  const { db, pool, objectStore, messageQueue, printing, zonedRuns } = app.services;
  const here = await openRasterEngineHere();
  const count = async (task: AreaTask): Promise<AreaCounts> => await here.engine.countAreas(task);
  /** Replaces each count; `times` is the number of counts so far. */
  const counting = { count, times: 0 };
  const engine: GeoEngine = {
    ...here.engine,
    countAreas: async (task) => {
      counting.times += 1;
      return await counting.count(task);
    },
  };
  const worker =
    hasWorker &&
    startWorker({
      db,
      objectStore,
      messageQueue,
      handlers: {
        ...createJobHandlers({ db, pool, objectStore, engine }),
        'make-result': createResultHandler(db, [
          createAtlasMaker(() => ({ printing, close: async () => undefined })),
          createLayoutMaker({ db, objectStore, engine }),
          createDescriptionMaker({ db, objectStore, engine }),
          createRastersMaker({
            db,
            objectStore,
            engine,
            messageQueue,
            landscapeEngine: createMakingEngine(),
          }),
          createFormMaker({ db, objectStore, engine, messageQueue, zonedRuns }),
        ]),
      },
      concurrency: 2,
      scratchRoot: join(here.folder, 'scratch'),
      log: pino({ level: 'silent' }),
      timing: { pollEveryMs: 50 },
    });
  await db
    .insertInto('districts')
    .values([...countedDistricts])
    .execute();
  const category = await insertCategory(db);
  return {
    app,
    db,
    engine,
    count,
    counting,
    /** Adds a ready raster and returns its id. */
    async addRaster(
      value: (column: number, row: number) => number,
      raster = {},
      columns: Readonly<Record<string, unknown>> = {},
    ): Promise<string> {
      const path = join(here.folder, 'raster.tif');
      writeRaster(path, { ...degrees, ...raster, value });
      const id = await insertRaster(db, { category_id: category, name: 'Зоны', view_state: 'none' });
      await setState(app.services, id, {}, { cog: await readFile(path) });
      // Sets the group last: what follows a group looks for the COG.
      await setState(app.services, id, columns);
      return id;
    },
    async close(): Promise<void> {
      if (worker !== false) await worker.stop();
      await app.close();
      await here.close();
    },
  };
}
