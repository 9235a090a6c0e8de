/** Arrays with dimensions and attributes, as NetCDF and HDF have them: one reading of the conventions serves all formats. */

/** Numbers, or text. */
export type AttributeValue = string | readonly number[];

/** Types of values; `other` cannot be read as numbers. */
export type ArrayType =
  | 'Byte'
  | 'Int8'
  | 'UInt16'
  | 'Int16'
  | 'UInt32'
  | 'Int32'
  | 'Int64'
  | 'Float32'
  | 'Float64'
  | 'other';

export interface ArrayDimension {
  /** Unique in the file for dimensions that arrays share; empty for one that belongs to this array alone. */
  readonly name: string;
  readonly size: number;
}

export interface FileArray {
  /** Groups and name, such as `/a/b/x`, or `/x` in the root. */
  readonly path: string;
  readonly type: ArrayType;
  readonly dimensions: readonly ArrayDimension[];
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** CRS in WKT, if the format has one besides the attributes. */
  readonly crs?: string | undefined;
}

export interface ArrayFile {
  readonly arrays: readonly FileArray[];
  /** Attributes of the whole file. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /**
   * Reads a box of an array in row-major order, as stored: without scale and offset.
   * @throws {Problem} if the values cannot be read.
   */
  read(array: FileArray, origin: readonly number[], span: readonly number[]): Promise<Float64Array>;
  close(): Promise<void>;
}

/** Returns the text of an attribute without surrounding blanks; undefined for none, and for numbers. */
export function textOf({ attributes }: Pick<FileArray, 'attributes'>, name: string): string | undefined {
  const value = attributes.get(name);
  return typeof value === 'string' ? value.trim() : undefined;
}

/** Returns the numbers of an attribute, also of one that writes them as text; none if it has no numbers. */
export function numbersOf({ attributes }: Pick<FileArray, 'attributes'>, name: string): readonly number[] {
  const value = attributes.get(name);
  if (value === undefined) return [];
  if (typeof value !== 'string') return value;
  const numbers = value
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map(Number);
  return numbers.some(Number.isNaN) ? [] : numbers;
}

/** Returns the last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the group of a path, with a slash at its end. */
export const groupOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
