import { open } from 'node:fs/promises';
import { sourceProblems } from '../../../messages/sources/english.ts';
import { maxRasterValues } from '../../child-program.ts';
import type { RasterType, Source } from './source.ts';

const keys = [
  'ncols',
  'nrows',
  'xllcorner',
  'yllcorner',
  'xllcenter',
  'yllcenter',
  'cellsize',
  'dx',
  'dy',
  'nodata_value',
] as const;
type Key = (typeof keys)[number];

/** Longest number in a grid. */
const maxWordBytes = 64;
const maxHeaderBytes = 4096;

/**
 * Opens an ASCII grid of ArcInfo. Its cells are north up, its corner may be that of the lower left cell or its centre. The file is read once
 * to find the type of the values.
 * @throws {Problem} for a damaged grid.
 */
export async function openAsciiGrid(path: string): Promise<Source> {
  const header = await readHeader(path);
  const { ncols: width = 0, nrows: height = 0, nodata_value: noData = -9999 } = header;
  const cellWidth = header.dx ?? header.cellsize ?? NaN;
  const cellHeight = header.dy ?? header.cellsize ?? NaN;
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1)
    throw sourceProblems.damaged();
  if (width * height > maxRasterValues) throw sourceProblems.tooLarge(width, height);
  const left = header.xllcorner ?? (header.xllcenter ?? NaN) - cellWidth / 2;
  const bottom = header.yllcorner ?? (header.yllcenter ?? NaN) - cellHeight / 2;
  if (!(cellWidth > 0 && cellHeight > 0) || !Number.isFinite(left + bottom)) throw sourceProblems.damaged();
  const type = await typeOf(path, header.bytes, width * height);
  const grid = {
    width,
    height,
    left,
    top: bottom + cellHeight * height,
    cellWidth,
    cellHeight,
    crs: undefined,
  };
  let reader = createReader(path, header.bytes);
  let nextRow = 0;
  return {
    description: () => ({
      variables: [
        {
          name: 'band 1',
          type,
          width,
          height,
          grid: { left, top: grid.top, cell_width: cellWidth, cell_height: cellHeight },
          axes: [],
        },
      ],
      axes: [],
      left_out: 0,
    }),
    plan({ variable }) {
      if (variable !== 'band 1') throw sourceProblems.noVariable(variable);
      return {
        ...grid,
        type,
        noData,
        scale: undefined,
        offset: undefined,
        unit: undefined,
        title: 'band 1',
        async readRows(first, count) {
          if (first < nextRow) {
            await reader.close();
            [reader, nextRow] = [createReader(path, header.bytes), 0];
          }
          for (; nextRow < first; nextRow += 1) await reader.take(width);
          nextRow += count;
          return await reader.take(count * width);
        },
      };
    },
    close: async () => await reader.close(),
  };
}

type Header = Partial<Record<Key, number>> & { readonly bytes: number };

/** Reads lines of a key and a number; the first other line begins the values. */
async function readHeader(path: string): Promise<Header> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
  const text = buffer.toString('latin1', 0, bytesRead);
  const header: Partial<Record<Key, number>> = {};
  let bytes = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  for (;;) {
    const [line, key = '', value = ''] =
      /^\s*([A-Za-z_]+)\s+(\S+)[^\S\r\n]*(?:\r\n|\r|\n)/.exec(text.slice(bytes)) ?? [];
    if (line === undefined) break;
    const known = keys.find((one) => one === key.toLowerCase());
    if (known !== undefined) header[known] = numberOf(value);
    bytes += line.length;
  }
  return { ...header, bytes };
}

/** Numbers with a decimal comma are written in some countries. */
function numberOf(word: string): number {
  if (/^[+-]?nan$/i.test(word)) return NaN;
  const number = Number(/^[+-]?\d+,\d+$/.test(word) ? word.replace(',', '.') : word);
  if (Number.isNaN(number)) throw sourceProblems.notText();
  return number;
}

/** Returns the smallest type that holds all values. @throws {Problem} if there are fewer or more than the header says. */
async function typeOf(path: string, from: number, expected: number): Promise<RasterType> {
  let [count, isWhole, least, most, isSingle] = [0, true, Infinity, -Infinity, true];
  for await (const values of numbersIn(path, from)) {
    count += values.length;
    for (const value of values) {
      if (!Number.isInteger(value)) isWhole = false;
      if (!Number.isFinite(value)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
      // Single precision keeps seven digits.
      isSingle &&= Number(value.toPrecision(7)) === value;
    }
  }
  if (count !== expected) throw sourceProblems.damaged();
  if (!isWhole || least === Infinity) return isSingle ? 'Float32' : 'Float64';
  if (least >= -32_768 && most <= 32_767) return 'Int16';
  return least >= -2_147_483_648 && most <= 2_147_483_647 ? 'Int32' : 'Float64';
}

/** Reads the numbers of a grid in order. */
function createReader(path: string, from: number) {
  const chunks = numbersIn(path, from);
  let [chunk, at]: [readonly number[], number] = [[], 0];
  return {
    async take(count: number): Promise<Float64Array> {
      const values = new Float64Array(count);
      for (let filled = 0; filled < count; filled += 1) {
        while (at === chunk.length) {
          const next = await chunks.next();
          if (next.done === true) throw sourceProblems.damaged();
          [chunk, at] = [next.value, 0];
        }
        values[filled] = chunk[at] ?? NaN;
        at += 1;
      }
      return values;
    },
    close: async () => void (await chunks.return(undefined)),
  };
}

/** Yields the numbers of a grid, some thousands at once; lines have no meaning. */
async function* numbersIn(path: string, from: number): AsyncGenerator<readonly number[], undefined> {
  await using file = await open(path);
  const buffer = Buffer.alloc(65_536);
  let rest = '';
  for (let at = from; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    at += bytesRead;
    const words = (rest + buffer.toString('latin1', 0, bytesRead)).split(/\s+/);
    rest = bytesRead === 0 ? '' : (words.pop() ?? '');
    if (rest.length > maxWordBytes) throw sourceProblems.notText();
    yield words.filter((word) => word !== '').map(numberOf);
    if (bytesRead === 0) return undefined;
  }
}
