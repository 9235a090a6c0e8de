/** What the writer of a FlatGeobuf, in a child, and its reader, in the api, agree on: https://flatgeobuf.org, version 3. */

/** The first eight bytes of a file; the last is the patch of the version, which readers ignore. */
export const magicBytes = Buffer.from([0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0]);

/** The kinds of geometry by their numbers. */
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

/** The types of columns that are written, by their numbers. `Json` holds the JSON text of any value. */
export const columnTypes = { Bool: 2, Int: 5, Long: 7, Double: 10, String: 11, Json: 12 } as const;
export type ColumnType = keyof typeof columnTypes;

/** A column, as the header has it. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** Numbers of columns are 16 bits long. */
export const maxFeatureColumns = 65_535;

/** Children of a node of the index. */
export const indexNodeSize = 16;
/** West, south, east, north as float64, and where the node leads, as uint64. */
export const indexNodeBytes = 40;

/** The nodes of one level of the index, from `start` to before `end`. */
export interface IndexLevel {
  readonly start: number;
  readonly end: number;
}

/** Returns the levels of an index over so many features, the leaves first; the root is node 0. */
export function indexLevels(features: number): readonly IndexLevel[] {
  const lengths = [features];
  for (let length = features; length > 1 || lengths.length === 1;) {
    length = Math.ceil(length / indexNodeSize);
    lengths.push(length);
  }
  let end = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.map((length) => {
    const level = { start: end - length, end };
    end = level.start;
    return level;
  });
}

/** Returns the length of an index over so many features, in bytes; without features there is none. */
export function indexBytes(features: number): number {
  return features === 0 ? 0 : (indexLevels(features)[0]?.end ?? 0) * indexNodeBytes;
}

/** The features of a vector file, each as it has it, as a FlatGeobuf. */
export interface WrittenFeatures {
  readonly path: string;
  readonly count: number;
  /** West, south, east, north in degrees; null when no feature has a place. */
  readonly box: readonly number[] | null;
}
