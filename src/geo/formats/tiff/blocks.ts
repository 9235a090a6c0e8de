import { KiB } from '../../../common/units.ts';
import { readNumber, type Entry } from './bytes.ts';
import type { TiffFile } from './walk.ts';

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
  { read, littleEndian }: Pick<TiffFile, 'read' | 'littleEndian'>,
  { offsets, byteCounts }: BlockTables,
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
