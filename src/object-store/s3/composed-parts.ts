import { MiB } from '../../lib/units.ts';
import { lengthOf, type Piece, type PieceRange } from '../object-store.ts';

/** Minimum size of a part in S3, except for the last one. */
const leastPartBytes = 5 * MiB;
/** Maximum size of one copy, so that each ends in time. */
const mostCopiedBytes = 256 * MiB;
/** Below the limit of S3, 10,000. */
const mostParts = 9000;

/** A part of a multipart upload: a range that the store copies internally, or pieces that are sent. */
export type ComposedPart = { readonly copy: PieceRange & { readonly key: string } } | GatheredPart;

export interface GatheredPart {
  readonly sent: readonly Piece[];
  readonly sizeBytes: number;
}

/**
 * Divides pieces into parts, in order: long ranges of objects are copied, everything else is gathered. A gathered part
 * before a long range takes from it the bytes that it lacks.
 */
export function partsOf(pieces: readonly Piece[]): readonly ComposedPart[] {
  const total = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  const least = Math.max(leastPartBytes, Math.ceil(total / mostParts));
  const parts: ComposedPart[] = [];
  let sent: Piece[] = [];
  let sizeBytes = 0;
  const flush = (): void => {
    if (sizeBytes > 0) parts.push({ sent, sizeBytes });
    [sent, sizeBytes] = [[], 0];
  };
  for (const piece of pieces) {
    for (let done = 0; done < lengthOf(piece);) {
      const left = lengthOf(piece) - done;
      if (sizeBytes === 0 && 'key' in piece && left >= least) {
        const length = copiedLength(left, least);
        parts.push({ copy: { ...piece, start: piece.start + done, length } });
        done += length;
        continue;
      }
      const length = Math.min(left, least - sizeBytes);
      sent.push(sliceOf(piece, done, length));
      sizeBytes += length;
      done += length;
      if (sizeBytes === least) flush();
    }
  }
  flush();
  return parts;
}

/** Leaves no remainder that is too short to be copied. */
function copiedLength(left: number, least: number): number {
  if (left <= mostCopiedBytes) return left;
  return left - mostCopiedBytes < least ? left - least : Math.max(least, mostCopiedBytes);
}

function sliceOf(piece: Piece, from: number, length: number): Piece {
  if ('bytes' in piece) return { bytes: piece.bytes.subarray(from, from + length) };
  return { ...piece, start: piece.start + from, length };
}
