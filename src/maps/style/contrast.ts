/** How a style spreads the values of a band over the shades from dark to light, in the units of the values. */
export interface Contrast {
  /**
   * - `plain`: as without a style.
   * - `normalize`: from the least value to the greatest.
   * - `histogram`: each shade as often as any other.
   * - `stretch`: from one value to another.
   * - `clip`: values beyond the two are drawn as these.
   * - `clip_to_zero`: values beyond the two are drawn as 0.
   */
  readonly method: 'plain' | 'normalize' | 'histogram' | 'stretch' | 'clip' | 'clip_to_zero';
  /** Of the last three methods. */
  readonly range?: readonly [number, number];
  /** The power that shades are raised to, as in GeoServer: below 1 they become lighter. Absent where it is 1. */
  readonly gamma?: number;
}
