import type { VectorPaint } from './vector-paint.ts';

/** Raised when the same request would be drawn differently; part of every ETag of a drawing of vectors. */
export const vectorDrawingVersion = 1;

/** What a GeoJSON is made of, which says where its attributes are. */
export type VectorKind = 'vector' | 'units' | 'districts';

/** A stored GeoJSON, and the layer that it becomes in a tile. */
export interface VectorLayerSource {
  /** Name of the layer in the tile. */
  readonly name: string;
  /** Key of the object, which never changes its bytes. */
  readonly key: string;
  readonly kind: VectorKind;
}

export interface VectorTileRequest {
  readonly layers: readonly VectorLayerSource[];
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** `YYYY-MM-DD`: units get the `value` of this date instead of one attribute for each date. */
  readonly datetime: string | undefined;
}

export interface VectorTileResult {
  /** A Mapbox Vector Tile, version 2, not compressed; empty where nothing lies. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True when parts were left out, because the tile or its source has too many. */
  readonly thinned?: true;
}

export interface VectorThumbnailRequest {
  readonly source: VectorLayerSource;
  /** Length of each side of the square in pixels, 256 to 1024. */
  readonly size: number;
  readonly paint: VectorPaint;
}

/** An image of red, green, blue and opacity, row by row from the top, not premultiplied. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}
