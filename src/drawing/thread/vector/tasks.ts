import type { Tile } from '../../../portrayal/raster/web-mercator.ts';

/** What a GeoJSON is made of, which says where its attributes are. */
export type VectorKind = 'vector' | 'units' | 'districts';

/** A stored GeoJSON. */
export interface VectorSource {
  /** Key of the object, whose bytes never change. */
  readonly key: string;
  readonly kind: VectorKind;
}

/** A GeoJSON, and the name of the layer that it becomes in a tile. */
export interface VectorLayer extends VectorSource {
  readonly name: string;
}

export interface VectorTileRequest {
  readonly layers: readonly VectorLayer[];
  readonly tile: Tile;
  /** `YYYY-MM-DD`: units get the `value` of this date instead of one attribute for each date. */
  readonly datetime: string | undefined;
}

export interface VectorTileResult {
  /** A Mapbox Vector Tile, version 2, not compressed; empty where nothing lies. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True when parts were left out, because the tile or its source has too many. */
  readonly isThinned: boolean;
}

export interface VectorThumbnailRequest {
  readonly source: VectorSource;
  /** Undefined when neither the dataset nor its group has one. */
  readonly style: { readonly key: string; readonly compiled: string } | undefined;
  /** Pixels a side. */
  readonly size: number;
}
