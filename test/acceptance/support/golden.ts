import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Client } from '../client.ts';
import { once } from './datasets.ts';
import { type Run, pinSlots, pixelsOf, plainPins, succeed } from './landscape.ts';

/** Rows of pixels by parameter set and node; null or 0 where there is no value. */
interface Expected {
  readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly values: Readonly<
    Record<string, Readonly<Record<string, readonly (readonly (number | null)[])[]>>>
  >;
}

const fixtures = new URL('../../fixtures/landscape/', import.meta.url);
const expected: Expected = JSON.parse(await readFile(new URL('expected.json', fixtures), 'utf8'));

/** The parameters of a golden set. */
export function goldenParams(set: string): Readonly<Record<string, unknown>> {
  const params = expected.params[set];
  if (params === undefined) throw new Error(`there is no golden set ${set}`);
  return params;
}

/** Pixels of a node, those without a value as the file has them; as with default parameters where a set has none of its own. */
export function goldenPixels(set: string, code: string): readonly number[] {
  const rows = expected.values[set]?.[code] ?? expected.values['default']?.[code];
  if (rows === undefined) throw new Error(`there are no golden pixels of node ${code}`);
  return rows.flat().map((value) => value ?? -9999);
}

/** Numbers within 1e-5 of their size, classes exactly. */
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

/** The lines of a table beside the golden data, without its head. */
export async function tableLines(name: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(new URL(name, fixtures), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(','));
}

export async function readCases<T>(): Promise<T> {
  return JSON.parse(await readFile(new URL('cases.json', fixtures), 'utf8'));
}

interface Degrees {
  readonly geographic_slope: {
    readonly grid: { readonly left: number; readonly top: number; readonly res: readonly number[] };
    readonly dem: readonly (readonly number[])[];
    readonly slope_percent: readonly (readonly number[])[];
    readonly tri: readonly (readonly number[])[];
  };
}

/** A run over an elevation in degrees of its own, with what it has to make of it. A claim deletes the elevation, and no output. */
export const degreesRun = once(async (client) => {
  const { grid, dem: rows, slope_percent: slope, tri } = (await readCases<Degrees>()).geographic_slope;
  const [pixelSize = 0] = grid.res;
  const dem = { rows, epsg: 4326, corner: [grid.left, grid.top], pixelSize } as const;
  const pins = { ...(await plainPins(client)), ...(await pinSlots(client, { dem })) };
  return { run: await succeed(client, { overrides: pins }), pins, grid, slope, tri };
});
