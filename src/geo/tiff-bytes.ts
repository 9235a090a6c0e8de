import type { FileHandle } from 'node:fs/promises';
import { KiB } from '../units.ts';

/** A file that is no TIFF or whose directories do not hold together. */
export class BrokenTiff extends Error {
  override readonly name = 'BrokenTiff';
  /** Whether directories or tables lie behind the end of the file, so that images or masks may be lost. */
  readonly isCut: boolean;

  constructor(message: string, options: { isCut?: boolean } = {}) {
    super(message);
    this.isCut = options.isCut ?? false;
  }
}

/** Bytes of a value by TIFF type number; only whole numbers are read here. */
export const typeBytes: Readonly<Record<number, 1 | 2 | 4 | 8>> = { 1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8 };

/** Values of one tag: how many, of how many bytes each, from where on. */
export interface Entry {
  readonly size: 1 | 2 | 4 | 8;
  readonly count: number;
  readonly at: number;
}

/** @throws {BrokenTiff} when the file ends before. */
export type Read = (at: number, length: number) => Promise<DataView>;

export function createReader(file: FileHandle, fileBytes: number): Read {
  return async (at, length) => {
    const cut = () => new BrokenTiff(`the file ends before byte ${at + length}`, { isCut: true });
    if (at < 0 || at + length > fileBytes) throw cut();
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, at);
    if (bytesRead < length) throw cut();
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  };
}

export function readNumber(view: DataView, at: number, size: 1 | 2 | 4 | 8, littleEndian: boolean): number {
  if (size === 8) return Number(view.getBigUint64(at, littleEndian));
  if (size === 4) return view.getUint32(at, littleEndian);
  return size === 2 ? view.getUint16(at, littleEndian) : view.getUint8(at);
}

/** Where an image lists the place and the length of each of its tiles or strips. */
export interface BlockTables {
  readonly offsets: Entry;
  readonly byteCounts: Entry;
}

/** A tile or strip. Both numbers are 0 where it is sparse. */
export interface Block {
  readonly start: number;
  readonly length: number;
}

const blocksPerRead = 8 * KiB;

/** The blocks of an image in their order, as far as both tables tell of them. */
export async function* blocksOf(
  read: Read,
  { offsets, byteCounts }: BlockTables,
  littleEndian: boolean,
): AsyncGenerator<Block> {
  const known = Math.min(offsets.count, byteCounts.count);
  for (let block = 0; block < known; block += blocksPerRead) {
    const blocks = Math.min(blocksPerRead, known - block);
    const starts = await read(offsets.at + block * offsets.size, blocks * offsets.size);
    const lengths = await read(byteCounts.at + block * byteCounts.size, blocks * byteCounts.size);
    for (let i = 0; i < blocks; i += 1) {
      yield {
        start: readNumber(starts, i * offsets.size, offsets.size, littleEndian),
        length: readNumber(lengths, i * byteCounts.size, byteCounts.size, littleEndian),
      };
    }
  }
}
