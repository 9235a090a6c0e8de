import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { KiB } from '../units.ts';

const deflate = promisify(deflateRaw);
/** Bytes of text per compression step: more would hold more memory, fewer would compress worse. */
const packedAtOnce = 128 * KiB;
/** Compression level; higher levels cost time for little gain. */
const level = 5;

/** Facts about compressed bytes, known at their end. */
export interface Packed {
  readonly bytes: number;
  readonly packedBytes: number;
  readonly crc32: number;
}

/** Compresses a text (DEFLATE) lazily, piece by piece, with bounded memory. Equal texts give equal bytes. */
export async function* packed(text: AsyncIterable<string>): AsyncGenerator<Buffer, Packed> {
  let [bytes, packedBytes, sum] = [0, 0, 0];
  let waiting: string[] = [];
  let characters = 0;
  async function pack(finishFlush: number): Promise<Buffer> {
    const some = Buffer.from(waiting.join(''));
    [waiting, characters] = [[], 0];
    const made = await deflate(some, { level, finishFlush });
    bytes += some.length;
    packedBytes += made.length;
    sum = crc32(some, sum);
    return made;
  }
  for await (const piece of text) {
    waiting.push(piece);
    characters += piece.length;
    if (characters >= packedAtOnce) yield await pack(constants.Z_SYNC_FLUSH);
  }
  yield await pack(constants.Z_FINISH);
  return { bytes, packedBytes, crc32: sum };
}

const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Compresses a text into one gzip member (RFC 1952), like `packed`. */
export async function* gzipped(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  yield gzipHead;
  const { bytes, crc32: sum } = yield* packed(text);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(sum, 0);
  tail.writeUInt32LE(bytes % 2 ** 32, 4);
  yield tail;
}
