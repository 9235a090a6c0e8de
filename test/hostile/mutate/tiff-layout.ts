import { type NumberPlace, readNumber } from './mutation.ts';

/** Places of the parts of a directory entry. */
export interface Field {
  readonly at: number;
  readonly tag: number;
  readonly count: number;
  /** Bytes of one value. */
  readonly size: 1 | 2 | 4 | 8;
  /** Place of the first value, in the entry or elsewhere. */
  readonly valuesAt: number;
}

export interface Directory {
  readonly countPlace: NumberPlace;
  readonly fields: readonly Field[];
  readonly nextPlace: NumberPlace;
}

export interface Layout {
  readonly littleEndian: boolean;
  readonly isBig: boolean;
  /** Bytes of an offset or a count. */
  readonly wordBytes: 4 | 8;
  readonly entryBytes: 12 | 20;
  readonly firstPlace: NumberPlace;
  readonly directories: readonly Directory[];
}

const maxFields = 200;
const maxDirectories = 20;
const sizes: readonly (1 | 2 | 4 | 8)[] = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 1, 1, 8, 8, 8];

/** Layout of a TIFF that may be damaged, as far as it can be read; undefined if not at all. */
export function layoutOf(bytes: Buffer): Layout | undefined {
  const order = bytes.toString('latin1', 0, 2);
  if (bytes.length < 16 || (order !== 'II' && order !== 'MM')) return undefined;
  const littleEndian = order === 'II';
  const numberAt = (place: NumberPlace): number => Number(readNumber(bytes, place, littleEndian));
  const isBig = numberAt({ at: 2, size: 2 }) === 43;
  const wordBytes = isBig ? 8 : 4;
  const entryBytes = isBig ? 20 : 12;
  const firstPlace = { at: wordBytes, size: wordBytes } as const;
  const directories: Directory[] = [];
  let start = numberAt(firstPlace);
  while (start > 0 && start < bytes.length && directories.length < maxDirectories) {
    const directory = directoryAt(start);
    directories.push(directory);
    start = numberAt(directory.nextPlace);
  }
  if (directories.length === 0) return undefined;
  return { littleEndian, isBig, wordBytes, entryBytes, firstPlace, directories };

  function directoryAt(start: number): Directory {
    const countPlace = { at: start, size: isBig ? 8 : 2 } as const;
    const count = Math.min(numberAt(countPlace), maxFields);
    const entriesAt = start + countPlace.size;
    const fields = Array.from({ length: count }, (_, index) => fieldAt(entriesAt + index * entryBytes));
    return { countPlace, fields, nextPlace: { at: entriesAt + count * entryBytes, size: wordBytes } };
  }

  function fieldAt(at: number): Field {
    const tag = numberAt({ at, size: 2 });
    const size = sizes[numberAt({ at: at + 2, size: 2 })] ?? 1;
    const count = numberAt({ at: at + 4, size: wordBytes });
    const inlineAt = at + 4 + wordBytes;
    const isInline = count * size <= wordBytes;
    return {
      at,
      tag,
      count,
      size,
      valuesAt: isInline ? inlineAt : numberAt({ at: inlineAt, size: wordBytes }),
    };
  }
}

const offsetTags: readonly number[] = [273, 324];
const lengthTags: readonly number[] = [279, 325];

/** Tiles or strips of a directory whose places can be read. */
export function blocksOf(bytes: Buffer, { littleEndian }: Layout, { fields }: Directory) {
  const offsets = fields.find(({ tag }) => offsetTags.includes(tag));
  const lengths = fields.find(({ tag }) => lengthTags.includes(tag));
  if (offsets === undefined || lengths === undefined) return [];
  const numberOf = ({ valuesAt, size }: Field, index: number): number =>
    Number(readNumber(bytes, { at: valuesAt + index * size, size }, littleEndian));
  return Array.from({ length: Math.min(offsets.count, lengths.count, maxFields) }, (_, index) => ({
    start: numberOf(offsets, index),
    length: numberOf(lengths, index),
  })).filter(({ start, length }) => length > 0 && start + length <= bytes.length);
}
