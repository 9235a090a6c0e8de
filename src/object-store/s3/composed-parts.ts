import { MiB } from '../../lib/units.ts';
import { lengthOf, type Piece, type PieceRange } from '../object-store.ts';

/** The least that S3 takes for a part, but for the last one. */
const leastPartBytes = 5 * MiB;
/** The most that is copied in one call: each has to end in time. */
const mostCopiedBytes = 256 * MiB;
/** S3 takes 10,000. */
const mostParts = 9000;

/** A part of a multipart upload: a range that the store copies by itself, or pieces that are sent. */
export type ComposedPart = { readonly copy: PieceRange & { readonly key: string } } | GatheredPart;

export interface GatheredPart {
  readonly sent: readonly Piece[];
  readonly sizeBytes: number;
}

/**
 * Deals pieces out to parts, in their order: long ranges of objects are copied, all else is gathered. A part that is gathered before a
 * long range takes as much of it as it lacks.
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

/** Leaves no rest that is too short to be copied. */
function copiedLength(left: number, least: number): number {
  if (left <= mostCopiedBytes) return left;
  return left - mostCopiedBytes < least ? left - least : Math.max(least, mostCopiedBytes);
}

function sliceOf(piece: Piece, from: number, length: number): Piece {
  if ('bytes' in piece) return { bytes: piece.bytes.subarray(from, from + length) };
  return { ...piece, start: piece.start + from, length };
}
