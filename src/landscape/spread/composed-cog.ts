import { crc32 } from 'node:zlib';
import type { CogComposition } from '../../geo/composition.ts';
import type { Composition } from '../../object-store/ledger.ts';

/** The place of a local file in the store. */
export interface StoredFile {
  readonly key: string;
  /** The offset of its first byte in the object. */
  readonly start: number;
}

/** Returns the composition of a COG in the store. @param stored the files of tiles that are in the store, by path; others are local. */
export function storedComposition(
  { pieces, blocks }: CogComposition,
  stored: ReadonlyMap<string, StoredFile>,
): Omit<Composition, 'signal'> {
  return {
    pieces: pieces.map(({ path, start, length }) => {
      const file = stored.get(path);
      return file === undefined
        ? { path, start, length }
        : { key: file.key, start: file.start + start, length };
    }),
    createCheck: () => createBlockCheck(blocks),
  };
}

/** Creates a function that verifies streamed bytes by the checksums of their blocks. */
export function createBlockCheck(blocks: CogComposition['blocks']): (bytes: Uint8Array) => void {
  let index = 0;
  let done = 0;
  let checksum = 0;
  return (bytes) => {
    for (let at = 0; at < bytes.length;) {
      const [length = 0, expected] = blocks[index] ?? [];
      if (expected === undefined) throw new Error('the composed COG is longer than its blocks');
      const some = bytes.subarray(at, at + length - done);
      checksum = crc32(some, checksum);
      at += some.length;
      done += some.length;
      if (done < length) return;
      if (checksum !== expected)
        throw new Error(`block ${index} of the composed COG is not what was encoded`);
      [index, done, checksum] = [index + 1, 0, 0];
    }
  };
}
