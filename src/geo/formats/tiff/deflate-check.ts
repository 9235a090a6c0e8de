import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createInflate, inflate } from 'node:zlib';
import { codeOf } from '../../../common/error-facts.ts';
import { MiB } from '../../../common/units.ts';
import { blocksOf } from './image.ts';
import { readTiffLayout } from './layout.ts';

/** TIFF's numbers of deflate: Adobe's, and the one before it. */
const deflate: readonly number[] = [8, 32946];
/** Blocks that are longer than these, deflated or as pixels, are inflated piece by piece, which takes longer but less memory. */
const maxAtOnce = { deflated: 4 * MiB, pixels: 16 * MiB };
const blocksAtOnce = 4;
/** The least that zlib takes. */
const minChunkBytes = 64;
/** The pixels of a block outgrew their room. */
const tooLarge = 'ERR_BUFFER_TOO_LARGE';

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
    if (length <= maxAtOnce.deflated && most <= maxAtOnce.pixels) {
      const bytes = Buffer.alloc(length);
      await file.read(bytes, 0, length, start);
      // Room for one byte more than there may be: a block of the right length then fills one buffer, which nobody copies.
      const room = Math.max(minChunkBytes, most + 1);
      return (await promisify(inflate)(bytes, { chunkSize: room, maxOutputLength: room })).length <= most;
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
    const code = codeOf(error);
    if (code === tooLarge || code?.startsWith('Z_') === true) return false;
    throw error;
  }
}
