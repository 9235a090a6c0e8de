import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createInflate, inflate } from 'node:zlib';
import { codeOf } from '../../../common/error-facts.ts';
import { KiB } from '../../../common/units.ts';
import { blocksOf } from './image.ts';
import { readTiffLayout } from './layout.ts';

/** TIFF's numbers of deflate: Adobe's, and the one before it. */
const deflate: readonly number[] = [8, 32946];
/** Longer blocks are inflated piece by piece; a deflated byte stands for 1032 at most. */
const maxBytesAtOnce = 64 * KiB;
const blocksAtOnce = 4;

/**
 * Tells whether all deflated tiles or strips have the right checksum and no byte too many, in the first image of a TIFF and in
 * its masks. GDAL does not look at checksums, and of a block that is too long it makes up the last bytes (libtiff 4.5
 * with libdeflate leaves them as the memory was).
 * @throws {BrokenTiff} when the file cannot be walked.
 */
export async function deflatedBlocksAreSound(file: FileHandle): Promise<boolean> {
  const layout = await readTiffLayout(file);
  for (const [index, image] of layout.directories.entries()) {
    const { compression, mask, blockBytes, blocksPerPlane } = image;
    if (!deflate.includes(compression) || (index > 0 && !mask)) continue;
    let checks: Promise<boolean>[] = [];
    let number = 0;
    for await (const { start, length } of blocksOf(layout, image)) {
      number += 1;
      if (start === 0 || length === 0) continue;
      const isLast = number % blocksPerPlane === 0;
      checks.push(isSound(file, start, length, isLast ? blockBytes.last : blockBytes.whole));
      if (checks.length < blocksAtOnce) continue;
      if ((await Promise.all(checks)).includes(false)) return false;
      checks = [];
    }
    if ((await Promise.all(checks)).includes(false)) return false;
  }
  return true;
}

async function isSound(file: FileHandle, start: number, length: number, most: number): Promise<boolean> {
  try {
    if (length <= maxBytesAtOnce) {
      const bytes = Buffer.alloc(length);
      await file.read(bytes, 0, length, start);
      return (await promisify(inflate)(bytes)).length <= most;
    }
    let inflatedBytes = 0;
    const count = new Writable({
      write(chunk: Buffer, _encoding, done) {
        inflatedBytes += chunk.length;
        done();
      },
    });
    const deflated = file.createReadStream({ start, end: start + length - 1, autoClose: false });
    await pipeline(deflated, createInflate(), count);
    return inflatedBytes <= most;
  } catch (error) {
    if (codeOf(error)?.startsWith('Z_') === true) return false;
    throw error;
  }
}
