import type { Logger } from 'pino';
import type { Listener } from '../database/listener.ts';
import type { Database } from '../database/tables.ts';
import { readCompiledStyle } from '../datasets/styles/compiled-styles.ts';
import { createDrawingPool } from '../drawing/pool.ts';
import { createMaps } from '../maps/maps.ts';
import { createMapStyles } from '../maps/map-styles.ts';
import type { ObjectStore } from '../object-store/object-store.ts';

interface MapParts {
  readonly db: Database;
  readonly listener: Listener;
  readonly objectStore: ObjectStore;
  readonly threads: number;
  readonly log: Logger;
}

/** Opens what draws maps in an api. Its threads start with the first map. */
export function openMaps({ db, listener, objectStore, threads, log }: MapParts) {
  const pool = createDrawingPool({ objectStore, threads, log });
  const styles = createMapStyles(async (key) => await readCompiledStyle({ db, objectStore, pool }, key));
  const maps = createMaps({ db, listener, pool, styles });
  return {
    maps,
    async close(): Promise<void> {
      await maps.close();
      await pool.close();
    },
  };
}
