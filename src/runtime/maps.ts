import type { Logger } from 'pino';
import type { Listener } from '../database/listener.ts';
import type { Database } from '../database/tables/tables.ts';
import { createDistrictFiles } from '../units/district-files.ts';
import { createCurrentFiles } from '../tables/kato-map/current-files.ts';
import { createRates } from '../tables/rates/rate-series.ts';
import { createUnitAreas } from '../tables/rates/unit-areas.ts';
import { type RecentDatasets, createRecentDatasets } from '../datasets/recent-datasets.ts';
import { createMapObjects } from '../maps/service/object-answers.ts';
import { createVectorMaps } from '../maps/service/vector-maps.ts';
import { type CompileStyle, readCompiledStyle } from '../maps/styles/compiled-styles.ts';
import { createDrawingPool } from '../maps/service/pool.ts';
import { createRasterPairs } from '../maps/service/raster-pairs.ts';
import { createRasterPoints } from '../maps/service/raster-points.ts';
import { createFeatureFiles } from '../geo/flatgeobuf/open-file.ts';
import { createLayerTiles } from '../maps/service/layer-tiles.ts';
import { createLegends } from '../maps/service/legends.ts';
import { createMaps, createMapStyles } from '../maps/service/maps.ts';
import { type ZonedRuns, createZonedRuns } from '../landscape/balance/zoned-runs.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { createPaperMaps } from '../maps/paper/paper-maps.ts';
import type { SheetDependencies } from '../print/sheet-subject.ts';
import { findGraphWords } from '../landscape/groups/map-words.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Components } from './components.ts';

interface MapParts {
  readonly db: Database;
  readonly listener: Listener;
  readonly recentDatasets: RecentDatasets;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly zonedRuns: ZonedRuns;
  readonly threads: number;
  readonly log: Logger;
}

/** Timeout in milliseconds; the largest style takes a second on an idle machine. */
const compileMs = 30_000;

/** Opens the drawing of maps in an api. Its threads start with the first map, or with the first style. */
export function openMaps({
  db,
  listener,
  recentDatasets,
  objectStore,
  messageQueue,
  zonedRuns,
  threads,
  log,
}: MapParts) {
  const districtFiles = createDistrictFiles(db);
  const objects = createMapObjects(objectStore, districtFiles.objects);
  const pool = createDrawingPool({ objectStore: objects, threads, log });
  const compileStyle: CompileStyle = async (text) =>
    await pool.run(
      'compile-style',
      { text },
      { affinity: 'styles', mayBeRefused: false, deadlineMs: compileMs },
    );
  const styles = createMapStyles(
    async (key) => await readCompiledStyle({ db, objectStore, compileStyle }, key),
  );
  const currentFiles = createCurrentFiles({ db, objectStore });
  const geoJsonKeyOf = async (id: string) => (await currentFiles.geoJsonKeysOf(id)).key;
  const maps = createMaps({
    db,
    listener,
    datasets: recentDatasets,
    pool,
    styles,
    findWords: findGraphWords,
    seriesKeyOf: async (id) => (await currentFiles.seriesKeysOf(id)).key,
    log,
  });
  const legends = createLegends({ db, maps, pool });
  const paperMaps = createPaperMaps({ db, maps, pool });
  const featureFiles = createFeatureFiles(objectStore);
  const vectorMaps = createVectorMaps({ pool, geoJsonKeyOf, districtFiles });
  const printing = {
    db,
    messageQueue,
    maps,
    vectorMaps,
    featureFiles,
    pool,
    legends,
    zonedRuns,
    paperMaps,
  } satisfies SheetDependencies;
  return {
    currentFiles,
    rates: createRates(db, createUnitAreas()),
    maps,
    vectorMaps,
    rasterPoints: createRasterPoints({ pool, datasets: recentDatasets }),
    layerTiles: createLayerTiles(pool),
    paperMaps,
    printing,
    featureFiles,
    rasterPairs: createRasterPairs({ pool, datasets: recentDatasets }),
    districtFiles,
    legends,
    compileStyle,
    async close(): Promise<void> {
      await maps.close();
      await pool.close();
    },
  };
}

/** Opens the drawing of an atlas in a worker, with its own thread, which ends with it. */
export function openPrinting({ db, listener, objectStore, messageQueue }: Components, log: Logger) {
  const recentDatasets = createRecentDatasets({ db, listener });
  const zonedRuns = createZonedRuns({ db, messageQueue });
  const maps = openMaps({
    db,
    listener,
    objectStore,
    messageQueue,
    recentDatasets,
    zonedRuns,
    threads: 1,
    log,
  });
  return {
    printing: maps.printing,
    async close(): Promise<void> {
      await maps.close();
      await recentDatasets.close();
    },
  };
}
