import type pg from 'pg';
import type { Database } from '../database/tables.ts';
import type { GeoEngine } from '../geo/engine.ts';
import type { ObjectStore } from '../object-store/object-store.ts';

/** Dependencies of the job handlers. */
export interface ProcessingDependencies {
  readonly db: Database;
  /** For COPY, which needs a client of its own. */
  readonly pool: pg.Pool;
  readonly objectStore: ObjectStore;
  readonly engine: GeoEngine;
}
