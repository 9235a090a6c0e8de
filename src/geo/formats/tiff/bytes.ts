import type { FileHandle } from 'node:fs/promises';

/** What is wrong: `cut` where directories or tables lie behind the end of the file, so that images or masks may be lost. */
export type TiffFault = 'cut' | 'loop' | 'endless' | 'other';

/** A file that is no TIFF or whose directories do not hold together. */
export class BrokenTiff extends Error {
  override readonly name = 'BrokenTiff';
  readonly fault: TiffFault;

  constructor(message: string, fault: TiffFault = 'other') {
    super(message);
    this.fault = fault;
  }
}

export type WordBytes = 1 | 2 | 4 | 8;

/** Bytes of a value by TIFF type number; 14 and 15 are no types. */
export const typeBytes: readonly (WordBytes | undefined)[] = [
  undefined,
  ...([1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4] as const),
  ...([undefined, undefined, 8, 8, 8] as const),
];

/** Types of whole numbers, of which the signed ones are read as if they were none: what they mean is no size. */
export const wholeTypes: readonly number[] = [1, 3, 4, 6, 8, 9, 13, 16, 17, 18];

/** Values of one tag: how many, of how many bytes each, from where on. */
export interface Entry {
  readonly type: number;
  readonly size: WordBytes;
  readonly count: number;
  readonly at: number;
  /** Whether the values stand in the directory itself. */
  readonly isInline: boolean;
}

/** @throws {BrokenTiff} when the file ends before. */
export type Read = (at: number, length: number) => Promise<DataView>;

export function createReader(file: FileHandle, fileBytes: number): Read {
  return async (at, length) => {
    const cut = () => new BrokenTiff(`the file ends before byte ${at + length}`, 'cut');
    if (at < 0 || at + length > fileBytes) throw cut();
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, at);
    if (bytesRead < length) throw cut();
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  };
}

export function readNumber(view: DataView, at: number, size: WordBytes, littleEndian: boolean): number {
  if (size === 8) return Number(view.getBigUint64(at, littleEndian));
  if (size === 4) return view.getUint32(at, littleEndian);
  return size === 2 ? view.getUint16(at, littleEndian) : view.getUint8(at);
}
