import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GiB, MiB } from '../../lib/units.ts';
import { lengthOf, type Piece } from '../object-store.ts';
import { type ComposedPart, partsOf } from './composed-parts.ts';

/** Assembles pieces as S3 does. */
function put(parts: readonly ComposedPart[]): readonly Piece[] {
  return parts.flatMap((part) => ('copy' in part ? [part.copy] : part.sent));
}

const sizeOf = (part: ComposedPart): number => ('copy' in part ? part.copy.length : part.sizeBytes);
const range = (key: string, length: number, start = 0) => ({ key, start, length });

/** Joins adjacent pieces of one object. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last !== undefined && 'key' in last && 'key' in piece && last.key === piece.key)
      all[all.length - 1] = { ...last, length: last.length + piece.length };
    else if (lengthOf(piece) > 0) all.push(piece);
  }
  return all;
}

test('long ranges are copied, and short ones gathered into parts that S3 takes', () => {
  const pieces = [
    { bytes: Buffer.alloc(100) },
    range('a', 20 * MiB, 7),
    range('b', 2 * MiB),
    range('c', 6 * MiB),
    range('d', 9 * MiB),
    range('e', MiB),
  ];
  const parts = partsOf(pieces);
  assert.deepEqual(
    parts.map((part) => ('copy' in part ? part.copy.key : part.sent.length)),
    [2, 'a', 2, 2, 'd', 1],
  );
  assert.ok(parts.slice(0, -1).every((part) => sizeOf(part) >= 5 * MiB));
  assert.deepEqual(joined(put(parts)).slice(1), pieces.slice(1));
  assert.deepEqual(put(parts)[0], pieces[0]);
});

test('a range of any length becomes parts that end in time, and there are never too many', () => {
  for (const length of [256 * MiB + 1, GiB, 5 * GiB + 3]) {
    const parts = partsOf([range('a', length)]);
    assert.ok(parts.every((part) => 'copy' in part && part.copy.length >= 5 * MiB));
    assert.ok(parts.every((part) => sizeOf(part) <= 256 * MiB));
    assert.deepEqual(joined(put(parts)), [range('a', length)]);
  }
  const many = Array.from({ length: 20_000 }, (_, index) => range(`k${index}`, 5 * MiB + index));
  const parts = partsOf(many);
  assert.ok(parts.length <= 10_000);
  assert.equal(
    parts.reduce((sum, part) => sum + sizeOf(part), 0),
    many.reduce((sum, piece) => sum + piece.length, 0),
  );
});
