import type { Database } from '../../database/tables.ts';
import type { GeoEngine } from '../../geo/engine.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { LandscapeEngine } from '../compute/landscape-engine.ts';

/** What runs are executed with. */
export interface RunDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly engines: { readonly geo: GeoEngine; readonly landscape: LandscapeEngine };
  /** How many processes compute at once. */
  readonly computeWorkers: number;
  /** Of the reference grid. */
  readonly maxPixels: number;
}
