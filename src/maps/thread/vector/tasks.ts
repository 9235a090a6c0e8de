import type { Tile } from '../../raster/web-mercator.ts';
import type { UnitColumns } from '../../units/unit-properties.ts';

/** What a GeoJSON is made of, which says where its attributes are. */
export type VectorKind = 'vector' | 'units' | 'districts';

/** A stored GeoJSON. */
export interface VectorSource {
  /** Key of the object, whose bytes never change. */
  readonly key: string;
  readonly kind: VectorKind;
  /** The columns of a table by KATO; absent of others. */
  readonly columns?: UnitColumns | undefined;
}

/** A GeoJSON, and the name of the layer that it becomes in a tile. */
export interface VectorLayer extends VectorSource {
  readonly name: string;
}

export interface VectorTileRequest {
  readonly layers: readonly VectorLayer[];
  readonly tile: Tile;
  /** `YYYY-MM-DD`: units get the `value` of this date alone, instead of all that is known of them. */
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
