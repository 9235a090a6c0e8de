import { type FileHandle, open } from 'node:fs/promises';
import { sourceProblems } from '../../../messages/sources/english.ts';

/** Grids of rows and columns of even cells, by their numbers in GRIB 1 (table 6) and GRIB 2 (code table 3.1). */
const evenGrids = { 1: [0, 1, 3, 5], 2: [0, 10, 20, 30, 31, 140] } as const;
const rotatedGrids = { 1: [10, 13], 2: [1] } as const;
const kinds = {
  1: new Map([
    [4, 'Gaussian'],
    [14, 'rotated Gaussian'],
    [50, 'spherical harmonics'],
    [90, 'space view'],
  ]),
  2: new Map([
    [40, 'Gaussian'],
    [41, 'rotated Gaussian'],
    [50, 'spherical harmonics'],
    [90, 'space view'],
    [100, 'triangular'],
    [101, 'unstructured'],
    [150, 'HEALPix'],
  ]),
} as const;

/** Bytes between two messages, such as a bulletin's heading. */
const maxGapBytes = 65_536;
const maxMessages = 1_000_000;
const endMark = Buffer.from('7777');

/**
 * Refuses a file of GRIB whose fields have no rows and columns of even cells, or lie on several grids: the library reads a Gaussian grid
 * as if its rows were even. @returns whether the grid has longitudes and latitudes
 * @throws {Problem}
 */
export async function checkGribGrids(path: string): Promise<{ readonly isGeographic: boolean }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const grids = new Set<string>();
  let isGeographic = false;
  let messages = 0;
  for (let at = 0; at < size && messages < maxMessages; messages += 1) {
    const start = await findMessage(file, at);
    if (start === undefined) break;
    const message = await readMessage(file, start);
    for (const grid of message.grids) {
      isGeographic = checkGrid(grid);
      grids.add(`${grid.edition} ${grid.bytes.toString('latin1')}`);
    }
    at = start + message.length;
    if (at > size || message.length < 12) throw sourceProblems.damaged();
    // The library makes a field without values of a message that ends elsewhere.
    const end = message.isExact ? await readAt(file, at - endMark.length, endMark.length) : endMark;
    if (!end.equals(endMark)) throw sourceProblems.damaged();
  }
  if (grids.size === 0) throw sourceProblems.noRasters();
  if (grids.size > 1) throw sourceProblems.severalGrids(grids.size);
  return { isGeographic };
}

interface Grid {
  readonly edition: 1 | 2;
  readonly kind: number;
  readonly isReduced: boolean;
  readonly bytes: Buffer;
}

function checkGrid({ edition, kind, isReduced }: Grid): boolean {
  const among = (numbers: readonly number[]): boolean => numbers.includes(kind);
  if (among(rotatedGrids[edition])) throw sourceProblems.rotatedPole();
  if (!among(evenGrids[edition])) throw sourceProblems.reducedGrid(kinds[edition].get(kind) ?? String(kind));
  if (isReduced) throw sourceProblems.reducedGrid('reduced');
  return kind === 0;
}

async function findMessage(file: FileHandle, from: number): Promise<number | undefined> {
  const bytes = await readAt(file, from, maxGapBytes);
  const index = bytes.indexOf('GRIB', 0, 'latin1');
  return index === -1 ? undefined : from + index;
}

async function readMessage(file: FileHandle, at: number) {
  const head = await readAt(file, at, 16);
  if (head.length < 16) throw sourceProblems.damaged();
  switch (head[7]) {
    case 1:
      return await readFirstEdition(file, at, head.readUIntBE(4, 3));
    case 2:
      return await readSecondEdition(file, at, Number(head.readBigUInt64BE(8)));
    default:
      throw sourceProblems.damaged();
  }
}

async function readFirstEdition(file: FileHandle, at: number, stated: number) {
  const product = await readAt(file, at + 8, 28);
  if (product.length < 28) throw sourceProblems.damaged();
  // Without a description of the grid, its number has a meaning in a catalogue of the centre.
  if (((product[7] ?? 0) & 0x80) === 0) throw sourceProblems.reducedGrid('predefined');
  const bytes = await readSection(file, at + 8 + product.readUIntBE(0, 3), 3);
  const grid = {
    edition: 1,
    kind: bytes[5] ?? 255,
    isReduced: bytes.readUInt16BE(6) === 0xffff,
    bytes,
  } as const;
  // A message above 8 MiB states its length in units of 120 bytes.
  const length = stated < 0x80_0000 ? stated : (stated & 0x7f_ffff) * 120 - 120;
  return { length, isExact: stated < 0x80_0000, grids: [grid] };
}

async function readSecondEdition(file: FileHandle, at: number, length: number) {
  const grids: Grid[] = [];
  for (let from = at + 16; from < at + length - 4;) {
    const head = await readAt(file, from, 5);
    if (head.length < 5) throw sourceProblems.damaged();
    const sectionBytes = head.readUInt32BE(0);
    if (sectionBytes < 5) throw sourceProblems.damaged();
    if (head[4] === 3) {
      const bytes = await readSection(file, from, 4);
      const kind = bytes.readUInt16BE(12);
      const columns = bytes.length < 34 ? 0 : bytes.readUInt32BE(30);
      const isReduced = (bytes[10] ?? 0) !== 0 || columns === 0xffff_ffff;
      grids.push({ edition: 2, kind, isReduced, bytes });
    }
    from += sectionBytes;
  }
  return { length, isExact: true, grids };
}

const maxGridBytes = 1_000_000;

/** @param width of the length of the section, with which it begins. */
async function readSection(file: FileHandle, at: number, width: number): Promise<Buffer> {
  const head = await readAt(file, at, width);
  const length = head.length < width ? 0 : head.readUIntBE(0, width);
  if (length < 14 || length > maxGridBytes) throw sourceProblems.damaged();
  const bytes = await readAt(file, at, length);
  if (bytes.length < length) throw sourceProblems.damaged();
  return bytes;
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}
