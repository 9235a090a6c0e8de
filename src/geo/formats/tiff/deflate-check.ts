import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createInflate, inflate } from 'node:zlib';
import { codeOf } from '../../../lib/error-facts.ts';
import { MiB } from '../../../lib/units.ts';
import { blocksOf } from './image.ts';
import { readTiffLayout, type TiffDirectory, type TiffLayout } from './layout.ts';

/** TIFF numbers of deflate: Adobe's, and its predecessor. */
const deflate: readonly number[] = [8, 32946];
/** Larger blocks, deflated or as pixels, are inflated piece by piece, which takes longer but less memory. */
const maxAtOnce = { deflated: 4 * MiB, pixels: 16 * MiB };
const blocksAtOnce = 4;
/** Minimum of zlib. */
const minChunkBytes = 64;
/** The pixels of a block exceed their buffer. */
const tooLarge = 'ERR_BUFFER_TOO_LARGE';

/**
 * Returns whether all deflated tiles or strips of the first image of a TIFF, and of its masks, have the right checksum and no excess byte.
 * GDAL ignores checksums, and invents the last bytes of too long a block (libtiff 4.5 with libdeflate leaves uninitialized memory).
 * @throws {BrokenTiff} if the directories cannot be read.
 */
export async function deflatedBlocksAreSound(file: FileHandle): Promise<boolean> {
  const layout = await readTiffLayout(file);
  for (const [index, image] of layout.directories.entries()) {
    if (!isDeflated(image) || (index > 0 && !image.mask)) continue;
    if (!(await everyBlock(file, layout, image, (bytes, most) => bytes <= most))) return false;
  }
  return true;
}

/**
 * Returns whether all images of a TIFF, including overviews and masks, are deflated and each tile or strip has the
 * right checksum and the size of its pixels, so that undoing the predictor restores the original pixels. Sparse blocks
 * are skipped; `readCogStructure` counts missing blocks.
 * @param tell receives the completed share of the blocks.
 * @throws {BrokenTiff} if the directories cannot be read.
 */
export async function isDeflatedThroughout(
  file: FileHandle,
  tell: (done: number) => void = () => undefined,
): Promise<boolean> {
  const layout = await readTiffLayout(file);
  if (!layout.directories.every(isDeflated)) return false;
  const blocks = layout.directories.reduce((sum, { expectedBlocks }) => sum + expectedBlocks, 0);
  let done = 0;
  for (const image of layout.directories) {
    const isRight: JudgeBlock = (bytes, whole) => {
      done += 1;
      tell(done / blocks);
      return bytes === whole;
    };
    if (!(await everyBlock(file, layout, image, isRight))) return false;
  }
  return true;
}

function isDeflated({ compression }: TiffDirectory): boolean {
  return deflate.includes(compression);
}

/** Returns whether a block that was inflated to this many bytes, and has pixels of `expected` bytes, is valid. */
type JudgeBlock = (bytes: number, expected: number) => boolean;

/** Inflates all blocks of an image, several at once; returns false if one cannot be inflated or is not valid. */
async function everyBlock(
  file: FileHandle,
  layout: TiffLayout,
  image: TiffDirectory,
  isRight: JudgeBlock,
): Promise<boolean> {
  const { blockBytes, blocksPerPlane } = image;
  let checks: Promise<boolean>[] = [];
  let number = 0;
  for await (const { start, length } of blocksOf(layout, image)) {
    number += 1;
    const expected = number % blocksPerPlane === 0 ? blockBytes.last : blockBytes.whole;
    // A sparse block has no bytes.
    const isSparse = start === 0 || length === 0;
    checks.push(
      isSparse ? Promise.resolve(isRight(0, expected)) : isSound(file, { start, length }, expected, isRight),
    );
    if (checks.length < blocksAtOnce) continue;
    if ((await Promise.all(checks)).includes(false)) return false;
    checks = [];
  }
  return !(await Promise.all(checks)).includes(false);
}

/** Position of a block in the file, in bytes. */
interface Block {
  readonly start: number;
  readonly length: number;
}

async function isSound(
  file: FileHandle,
  block: Block,
  expected: number,
  isRight: JudgeBlock,
): Promise<boolean> {
  try {
    return isRight(await inflatedBytesOf(file, block, expected), expected);
  } catch (error) {
    const code = codeOf(error);
    if (code === tooLarge || code?.startsWith('Z_') === true) return false;
    throw error;
  }
}

async function inflatedBytesOf(
  file: FileHandle,
  { start, length }: Block,
  expected: number,
): Promise<number> {
  if (length <= maxAtOnce.deflated && expected <= maxAtOnce.pixels) {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, start);
    // One byte more than the maximum: a block of the right length then fills one buffer, which is not copied.
    const room = Math.max(minChunkBytes, expected + 1);
    return (await promisify(inflate)(bytes, { chunkSize: room, maxOutputLength: room })).length;
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
  return inflatedBytes;
}
