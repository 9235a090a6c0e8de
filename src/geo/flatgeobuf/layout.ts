/** Layout shared by the writer of a FlatGeobuf, in a child, and its reader, in the api: https://flatgeobuf.org, version 3. */

/** First eight bytes of a file; the last one is the patch version, which readers ignore. */
export const magicBytes = Buffer.from([0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0]);

export const geometryTypes = {
  Unknown: 0,
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
} as const;
export type GeometryTypeName = keyof typeof geometryTypes;

/** Numbers of the column types that are written. `Json` is the JSON text of any value. */
export const columnTypes = { Bool: 2, Int: 5, Long: 7, Double: 10, String: 11, Json: 12 } as const;
export type ColumnType = keyof typeof columnTypes;

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** Column numbers have 16 bits. */
export const maxFeatureColumns = 65_535;

/** Children per node of the index. */
export const indexNodeSize = 16;
/** West, south, east, north as float64, and the offset of the target as uint64. */
export const indexNodeBytes = 40;

/** Nodes of one level of the index, from `start` inclusive to `end` exclusive. */
export interface IndexLevel {
  readonly start: number;
  readonly end: number;
}

/** Returns the levels of an index of this many features, leaves first; the root is node 0. */
export function indexLevels(features: number, nodeSize = indexNodeSize): readonly IndexLevel[] {
  const lengths = [features];
  for (let length = features; length > 1 || lengths.length === 1;) {
    length = Math.ceil(length / nodeSize);
    lengths.push(length);
  }
  let end = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.map((length) => {
    const level = { start: end - length, end };
    end = level.start;
    return level;
  });
}

/** Returns the size of an index of this many features in bytes; 0 without features. @param nodeSize at least 2 */
export function indexBytes(features: number, nodeSize = indexNodeSize): number {
  return features === 0 ? 0 : (indexLevels(features, nodeSize)[0]?.end ?? 0) * indexNodeBytes;
}

/** Features of a vector file as a FlatGeobuf. */
export interface WrittenFeatures {
  readonly path: string;
  readonly count: number;
  /** West, south, east, north in degrees; null if no feature has a geometry. */
  readonly box: readonly number[] | null;
}
