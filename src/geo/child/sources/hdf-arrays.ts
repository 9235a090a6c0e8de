import gdal, { type Group, type MDArray } from 'gdal-async';
import { sourceProblems } from '../../../messages/sources/english.ts';
import type {
  ArrayDimension,
  ArrayFile,
  ArrayType,
  AttributeValue,
  FileArray,
} from '../../formats/array-file.ts';
import { quietly } from '../../gdal/last-error.ts';
import { withoutOpeningFiles } from './without-opening-files.ts';

const readableTypes: readonly string[] = [
  'Byte',
  'Int8',
  'UInt16',
  'Int16',
  'UInt32',
  'Int32',
  'Int64',
  'Float32',
  'Float64',
];
const maxArrays = 5000;
const maxDepth = 20;

/** Attributes with the numbers of all places, which the binding lacks. */
type ListOf = (path: string, attribute: string) => string | undefined;

/** Opens the arrays of an HDF file. @param listOf reads an attribute with several numbers. @throws {Problem} if it cannot be opened. */
export function openHdfArrays(path: string, listOf: ListOf, more: readonly string[]): ArrayFile {
  const dataset = quietly(() => gdal.open(path, 'mr'));
  if (dataset === undefined) throw sourceProblems.damaged();
  const opened = new Map<FileArray, MDArray>();
  const attributes = new Map<string, AttributeValue>();
  const visit = (group: Group, at: string, depth: number): void => {
    if (depth > maxDepth) return;
    const prefix = `${at}/`;
    // GDAL leaves out arrays before the first scale of a dimension.
    const unlisted = more.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    const names = new Set([...group.arrays.names, ...unlisted.filter((name) => !name.includes('/'))]);
    for (const name of names) {
      if (opened.size >= maxArrays) return;
      const array = quietly(() => group.arrays.get(name));
      if (array === undefined) continue;
      const own = `${prefix}${name}`;
      opened.set(describe(array, own, listOf), array);
    }
    for (const name of group.groups.names) {
      const inner = quietly(() => group.groups.get(name));
      if (inner !== undefined) visit(inner, `${prefix}${name}`, depth + 1);
    }
  };
  visit(dataset.root, '', 0);
  return {
    arrays: [...opened.keys()],
    attributes,
    async read(array, origin, span) {
      const source = opened.get(array);
      if (source === undefined) throw new Error(`${array.path} is of another file`);
      if (span.includes(0)) return new Float64Array(0);
      try {
        return withoutOpeningFiles(() => readBox(source, origin, span));
      } catch (error) {
        throw sourceProblems.damaged().because(error);
      }
    },
    close: async () => dataset.close(),
  };
}

function readBox(source: MDArray, origin: readonly number[], span: readonly number[]): Float64Array {
  const data = new Float64Array(span.reduce((product, count) => product * count, 1));
  const stride = span.map((_, index) => span.slice(index + 1).reduce((product, count) => product * count, 1));
  source.read({ origin: [...origin], span: [...span], stride, data, data_type: 'Float64' });
  return data;
}

function describe(array: MDArray, path: string, listOf: ListOf): FileArray {
  const { dataType } = array;
  return {
    path,
    type: isArrayType(dataType) ? dataType : 'other',
    dimensions: array.dimensions.map((dimension, index): ArrayDimension => {
      const full = quietly(() => dimension.description) ?? '';
      // GDAL invents names for dimensions without a scale.
      const isInvented = full === `dim${index}`;
      return { name: isInvented ? '' : full.startsWith('/') ? full : `/${full}`, size: dimension.size };
    }),
    attributes: attributesOf(array, path, listOf),
    crs: quietly(() => array.srs)?.toWKT(),
  };
}

function isArrayType(type: string): type is ArrayType {
  return readableTypes.includes(type);
}

/** Attributes of which several numbers are of use. */
const lists = ['valid_range', 'missing_value', 'standard_parallel'];

function attributesOf(array: MDArray, path: string, listOf: ListOf): ReadonlyMap<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const name of array.attributes.names) {
    const value = quietly((): unknown => array.attributes.get(name).value);
    if (typeof value === 'string') attributes.set(name, value);
    if (typeof value !== 'number') continue;
    const text = lists.includes(name) ? listOf(path, name) : undefined;
    const numbers =
      text
        ?.split(/[\s,]+/)
        .filter((word) => word !== '')
        .map(Number) ?? [];
    attributes.set(name, numbers.length > 1 && !numbers.some(Number.isNaN) ? numbers : [value]);
  }
  // GDAL takes these for its own.
  const { unitType, noDataValue, scale, offset } = array;
  if (unitType !== '' && !attributes.has('units')) attributes.set('units', unitType);
  if (noDataValue !== null && !attributes.has('_FillValue')) attributes.set('_FillValue', [noDataValue]);
  if (scale !== 1 && !attributes.has('scale_factor')) attributes.set('scale_factor', [scale]);
  if (offset !== 0 && !attributes.has('add_offset')) attributes.set('add_offset', [offset]);
  return attributes;
}
