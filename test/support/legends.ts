import assert from 'node:assert/strict';
import type { z } from 'zod';
import { Legend } from '../../src/drawing/legend/legend-json.ts';

/** Reads what the colours of a map mean. @param address of the dataset or the group */
export async function readLegend(address: string): Promise<z.infer<typeof Legend>> {
  const answer = await fetch(`${address}/legend.json`);
  assert.equal(answer.status, 200);
  return Legend.parse(await answer.json());
}
