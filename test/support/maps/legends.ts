import assert from 'node:assert/strict';
import type { z } from 'zod';
import { Legend } from '../../../src/maps/service/legend-json.ts';

/**
 * Reads the legend of a map.
 * @param address of the dataset or the group
 */
export async function readLegend(address: string): Promise<z.infer<typeof Legend>> {
  const answer = await fetch(`${address}/legend.json`);
  assert.equal(answer.status, 200);
  return Legend.parse(await answer.json());
}

/** Asserts that only known colours occur, and more than half of them. */
export function assertColours(found: Iterable<string>, known: Iterable<string>): void {
  const [seen, wanted] = [new Set(found), new Set(known)];
  const others = [...seen.difference(wanted)];
  assert.deepEqual(others.slice(0, 5), [], `${others.length} colours are foreign`);
  assert.ok(seen.size > wanted.size / 2, `${seen.size} of ${wanted.size} colours`);
}
