import { ignore } from '../lib/concurrency/promises.ts';
import { MiB } from '../lib/units.ts';
import {
  type ComposeCall,
  ObjectMissing,
  type OpenObject,
  type Piece,
  type PieceRange,
} from './object-store.ts';

const chunkBytes = MiB;

/**
 * Reads pieces in order. @param open returns undefined for a missing object.
 * @throws {ObjectMissing} @throws {Error} if a piece exceeds its object or file.
 */
export async function* bytesOf(
  pieces: readonly Piece[],
  open: (range: PieceRange) => Promise<OpenObject | undefined>,
  { signal, onBytes = ignore }: ComposeCall = {},
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if ('bytes' in piece) {
      onBytes(piece.bytes);
      yield piece.bytes;
      continue;
    }
    using file = await open(piece);
    if (file === undefined) throw missing(piece);
    refuseBeyond(piece, file.sizeBytes);
    const end = piece.start + piece.length;
    for (let start = piece.start; start < end; start += chunkBytes) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - start));
      await file.fill(chunk, start);
      onBytes(chunk);
      yield chunk;
    }
  }
}

function missing(range: PieceRange): Error {
  return 'key' in range ? new ObjectMissing(range.key) : new Error('a file is missing that a piece is of');
}

function refuseBeyond({ start, length }: PieceRange, sizeBytes: number): void {
  if (start < 0 || length < 0 || start + length > sizeBytes)
    throw new Error(`a piece from byte ${start} on of ${length} bytes reaches beyond ${sizeBytes}`);
}
