import type { VectorSource } from '../../findings.ts';
import type { SourceGeometry } from './geometry.ts';
import type { Message } from '../../../lib/message.ts';

/** In which coordinates a file is, as far as it says so. */
export type SourceCrs =
  /** Longitude and latitude on WGS 84: the file says so, or its format does. */
  | { readonly kind: 'wgs84'; readonly isNamed: boolean }
  /** A number of the EPSG's, from a `crs` member. */
  | { readonly kind: 'epsg'; readonly code: number }
  /** A `crs` member that is not understood. */
  | { readonly kind: 'unknown-member' }
  | { readonly kind: 'wkt'; readonly wkt: string }
  /** The file should say and does not; `remedy` is what its owner can do. */
  | { readonly kind: 'none'; readonly remedy: Message };

/** One feature in the coordinates of its file. */
export interface SourceFeature {
  /** The JSON text of an object, in UTF-8; absent when it is missing or null. */
  readonly properties: Buffer | undefined;
  readonly geometry: SourceGeometry | undefined;
}

/** The one layer of a file of any format, ready to be read. */
export interface VectorFile {
  /** Facts known before the features are read. */
  readonly source: Omit<VectorSource, 'crs' | 'extent'>;
  readonly crs: SourceCrs;
  /** Names of the properties, in file order; for GeoJSON they are gathered only when asked for. */
  readonly columns: readonly string[];
  /** All features in file order. Without `geometry` theirs is not looked at. */
  features(options: { readonly geometry: boolean }): Generator<SourceFeature, void, void>;
}
