import { writeFile } from 'node:fs/promises';
import { MiB } from '../../../lib/units.ts';

type Pieces = Iterable<string | Uint8Array>;

/** Writes many small pieces of text to a file, in large blocks. */
export const writeText = (file: Parameters<typeof writeFile>[0], pieces: Pieces): Promise<void> =>
  writeFile(file, inBlocks(pieces));

function* inBlocks(pieces: Pieces): Generator<Uint8Array> {
  let block = Buffer.allocUnsafe(MiB);
  let used = 0;
  for (const piece of pieces) {
    const bytes = Buffer.byteLength(piece);
    if (used + bytes > block.length) {
      yield block.subarray(0, used);
      block = Buffer.allocUnsafe(Math.max(MiB, bytes));
      used = 0;
    }
    if (typeof piece === 'string') block.write(piece, used);
    else block.set(piece, used);
    used += bytes;
  }
  yield block.subarray(0, used);
}
