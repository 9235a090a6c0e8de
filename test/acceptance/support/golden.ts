import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Client } from '../client.ts';
import { type Run, pixelsOf } from './landscape.ts';

/** Rows of pixels by parameter set and node; null or 0 for no value. */
interface Expected {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly values: Readonly<
    Record<string, Readonly<Record<string, readonly (readonly (number | null)[])[]>>>
  >;
}

const fixtures = new URL('../../fixtures/landscape/', import.meta.url);
const expected: Expected = JSON.parse(await readFile(new URL('expected.json', fixtures), 'utf8'));

/** Parameters of a golden set. */
export function goldenParams(set: string): Readonly<Record<string, unknown>> {
  const params = expected.params[set];
  if (params === undefined) throw new Error(`there is no golden set ${set}`);
  return params;
}

/** Pixels of a node, with no data as in the file; those of the default parameters where a set has none. */
export function goldenPixels(set: string, code: string): readonly number[] {
  const rows = expected.values[set]?.[code] ?? expected.values['default']?.[code];
  if (rows === undefined) throw new Error(`there are no golden pixels of node ${code}`);
  return rows.flat().map((value) => value ?? -9999);
}

/** Asserts that numbers agree to a relative 1e-5, and classes exactly. */
export async function assertGolden(
  client: Client,
  run: Run,
  set: string,
  codes: readonly string[],
): Promise<void> {
  for (const code of codes) {
    assertClose(await pixelsOf(client, run, code), goldenPixels(set, code), `node ${code}`);
  }
}

export function assertClose(values: readonly number[], wanted: readonly number[], of: string): void {
  assert.equal(values.length, wanted.length, of);
  for (const [index, value] of values.entries()) {
    const want = wanted[index] ?? Number.NaN;
    assert.ok(
      Math.abs(value - want) <= 1e-5 * Math.abs(want),
      `${of}, pixel ${index}: ${value}, not ${want}`,
    );
  }
}

export async function readCases<T>(): Promise<T> {
  return JSON.parse(await readFile(new URL('cases.json', fixtures), 'utf8'));
}
