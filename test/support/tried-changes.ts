import assert from 'node:assert/strict';
import { createTileEvaluator, type Pixels } from '../../src/landscape/compute/evaluate-tile.ts';
import type { NearestChange, RunPixel } from '../../src/landscape/explain/changes.ts';
import { nodes } from '../../src/landscape/graph/graph.ts';
import { functionalZoning } from '../../src/landscape/graph/nodes.ts';
import type { Band } from '../../src/landscape/model/bands.ts';
import { leaves } from '../../src/landscape/model/leaves.ts';
import type { LandscapeParams } from '../../src/landscape/model/params.ts';

const bands: readonly Band[] = [...leaves, ...nodes.map(({ output }) => output)];

/**
 * The class of the zoning of a pixel whose bands have other values, by the evaluator of runs. What is given is read from a raster, as pins
 * are: every band that is not computed, and those that are changed.
 */
export function zoningWith(
  { graph, values, params }: RunPixel,
  changed: ReadonlyMap<string, number>,
  other: Partial<LandscapeParams> = {},
): number {
  const tile = { x: 0, y: 0, width: 1, height: 1 };
  const crs = { kind: 'projected', metresPerUnit: 1 } as const;
  const grid = { width: 1, height: 1, left: 0, top: 0, resX: 1, resY: 1, crs, wkt: '' };
  const computed = graph.nodes.filter(({ code }) => !changed.has(code));
  const isComputed = new Set(computed.map(({ code }) => code));
  const pixels = new Map<string, Pixels>();
  for (const { key, type } of bands) {
    const value = changed.get(key) ?? values.get(key);
    if (value === undefined || isComputed.has(key)) continue;
    pixels.set(key, type === 'float32' ? Float32Array.of(value) : Uint8Array.of(value));
  }
  const evaluator = createTileEvaluator({ nodes: computed, grid, params: { ...params, ...other } });
  const elevation = { values: new Float32Array(1), window: tile };
  return evaluator.evaluate(tile, { pixels, elevation }).get(functionalZoning.code)?.[0] ?? assert.fail();
}

const number = new Float32Array(1);
const bits = new Int32Array(number.buffer);

/** The float32 next to a positive or negative one. */
export function besides(value: number, direction: 1 | -1): number {
  number[0] = value;
  if (number[0] === 0) return direction * 2 ** -149;
  bits[0] = (bits[0] ?? 0) + (value > 0 ? direction : -direction);
  return number[0] ?? 0;
}

/** Values at random places between two numbers, both of them excluded, many of them near the ends. */
function between(from: number, to: number, random: () => number): readonly number[] {
  const shares = [0.001, 0.01, 0.99, 0.999, ...Array.from({ length: 8 }, random)];
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  return shares
    .map((share) => Math.fround(from + share * (to - from)))
    .filter((value) => value > low && value < high);
}

/** Greater values than these occur nowhere, and say nothing. */
const farthest = 1e7;

/**
 * Checks changes of a pixel one by one: what is said to alter the zoning does, what is smaller does not, and where nothing is said nothing
 * does.
 */
export function assertNearest(
  pixel: RunPixel,
  changes: readonly NearestChange[],
  random: () => number,
): void {
  const before = zoningWith(pixel, new Map());
  const at = (band: Band, value: number) => zoningWith(pixel, new Map([[band.key, value]]));
  for (const change of changes) {
    if (change.kind !== 'number') continue;
    const { band, from, bound, comparison, after } = change;
    const name = `${band.key} from ${from} ${comparison} ${bound}`;
    const step = comparison === 'below' ? -1 : 1;
    const first = comparison === 'below' ? besides(bound, -1) : bound;
    assert.ok(comparison === 'below' ? first < from : first > from, name);
    assert.notEqual(after.code, before, name);
    assert.equal(at(band, first), after.code ?? 0, name);
    const last = besides(first, step === 1 ? -1 : 1);
    for (const value of [last, ...between(from, last, random)])
      assert.equal(at(band, value), before, `${name}: ${value} alters it already`);
  }
  const numbers = new Set([
    ...pixel.graph.given,
    ...changes.flatMap((each) => ('band' in each ? each.band : [])),
  ]);
  for (const band of numbers) {
    if (band.type !== 'float32') continue;
    const from = pixel.values.get(band.key) ?? 0;
    const [least = -farthest, greatest = farthest] = band.range ?? [];
    for (const comparison of ['below', 'at_least'] as const) {
      const isSaid = changes.some(
        (each) => each.kind === 'number' && each.band === band && each.comparison === comparison,
      );
      if (isSaid) continue;
      const end = comparison === 'below' ? least : Math.min(greatest, farthest);
      for (const value of [end, ...between(from, end, random)])
        assert.equal(at(band, value), before, `${band.key} ${value} alters it, which nothing says`);
    }
  }
  for (const band of pixel.graph.given) {
    if (band.type !== 'uint8') continue;
    for (const value of band.classes) {
      const said: NearestChange | undefined = changes.find(
        (each) => each.kind === 'class' && each.band === band && each.to.includes(value),
      );
      const found = at(band, value);
      const expected = found === 0 ? undefined : found === before ? undefined : found;
      assert.equal(said?.after.code, expected, `${band.key} ${value}`);
    }
  }
}

/** Checks the changes of parameters of a pixel against all that a parameter can be. */
export function assertNearestParams(pixel: RunPixel, changes: readonly NearestChange[]): void {
  const before = zoningWith(pixel, new Map());
  for (const param of ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'] as const) {
    const from = pixel.params[param];
    for (const step of [-1, 1]) {
      let nearest: number | undefined;
      for (let to = from + step; nearest === undefined && to >= 1 && to <= 5; to += step)
        if (zoningWith(pixel, new Map(), { [param]: to }) !== before) nearest = to;
      const said: NearestChange | undefined = changes.find(
        (each) => each.kind === 'threshold' && each.param === param && Math.sign(each.to - from) === step,
      );
      assert.equal(said?.kind === 'threshold' ? said.to : undefined, nearest, `${param} ${from} ${step}`);
    }
  }
  const order = pixel.params.tie_priority;
  for (let i = 0; i < 4; i += 1) {
    const swapped = order.with(i, order[i + 1] ?? 0).with(i + 1, order[i] ?? 0);
    const found = zoningWith(pixel, new Map(), { tie_priority: swapped });
    const said: NearestChange | undefined = changes.find(
      (each) => each.kind === 'order' && each.order.join() === swapped.join(),
    );
    assert.equal(said?.after.code, found === before ? undefined : found, swapped.join());
  }
}
