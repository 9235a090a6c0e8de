import type { GeoEngine } from '../geo/engine.ts';
import type { LandscapeEngine } from '../landscape/compute/landscape-engine.ts';

/** Whatever works in child processes. */
export interface Engines {
  readonly geo: GeoEngine;
  readonly landscape: LandscapeEngine;
}
