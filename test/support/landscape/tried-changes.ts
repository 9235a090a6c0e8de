import assert from 'node:assert/strict';
import { createTileEvaluator, type Pixels } from '../../../src/landscape/compute/evaluate-tile.ts';
import type { NearestChange, RunPixel } from '../../../src/landscape/explain/changes.ts';
import { nodes } from '../../../src/landscape/graph/graph.ts';
import { functionalZoning } from '../../../src/landscape/graph/nodes.ts';
import type { Band } from '../../../src/landscape/model/bands.ts';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import type { LandscapeParams } from '../../../src/landscape/model/params.ts';

const bands: readonly Band[] = [...leaves, ...nodes.map(({ output }) => output)];

type Changed = ReadonlyMap<string, number>;

/**
 * Zoning classes of a pixel with other values in its bands, one for each case, from the evaluator of runs.
 * Given values are read from rasters, like pins: every band that is not computed, and those that are changed.
 */
function zoningsWith(
  { graph, values, params }: RunPixel,
  cases: readonly Changed[],
  other: Partial<LandscapeParams> = {},
): readonly number[] {
  const found = cases.map(() => 0);
  const pinned = (changed: Changed) => graph.nodes.filter(({ code }) => changed.has(code));
  // Cases with the same pinned nodes share one tile.
  for (const group of Map.groupBy(cases.entries(), ([, changed]) =>
    pinned(changed)
      .map(({ code }) => code)
      .join(),
  ).values()) {
    const [[, one] = assert.fail()] = group;
    const tile = { x: 0, y: 0, width: group.length, height: 1 };
    const crs = { kind: 'projected', metresPerUnit: 1 } as const;
    const grid = { width: group.length, height: 1, left: 0, top: 0, resX: 1, resY: 1, crs, wkt: '' };
    const computed = graph.nodes.filter(({ code }) => !one.has(code));
    const isComputed = new Set(computed.map(({ code }) => code));
    const pixels = new Map<string, Pixels>();
    for (const { key, type } of bands) {
      if (isComputed.has(key)) continue;
      const own = group.flatMap(([, changed]) => changed.get(key) ?? values.get(key) ?? []);
      if (own.length < group.length) continue;
      pixels.set(key, type === 'float32' ? Float32Array.from(own) : Uint8Array.from(own));
    }
    const evaluator = createTileEvaluator({ nodes: computed, grid, params: { ...params, ...other } });
    const elevation = { values: new Float32Array(group.length), window: tile };
    const codes = evaluator.evaluate(tile, { pixels, elevation }).get(functionalZoning.code);
    for (const [place, [index]] of group.entries()) found[index] = codes?.[place] ?? assert.fail();
  }
  return found;
}

/** The zoning class of one case. */
export function zoningWith(pixel: RunPixel, changed: Changed, other: Partial<LandscapeParams> = {}): number {
  return zoningsWith(pixel, [changed], other)[0] ?? assert.fail();
}

const number = new Float32Array(1);
const bits = new Int32Array(number.buffer);

/** The neighbouring float32 of a positive or negative number. */
export function besides(value: number, direction: 1 | -1): number {
  number[0] = value;
  if (number[0] === 0) return direction * 2 ** -149;
  bits[0] = (bits[0] ?? 0) + (value > 0 ? direction : -direction);
  return number[0] ?? 0;
}

/** Random values between two numbers, both excluded, many of them near the ends. */
function between(from: number, to: number, random: () => number): readonly number[] {
  const shares = [0.001, 0.01, 0.99, 0.999, ...Array.from({ length: 8 }, random)];
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  return shares
    .map((share) => Math.fround(from + share * (to - from)))
    .filter((value) => value > low && value < high);
}

/** Larger values occur nowhere and would show nothing. */
const farthest = 1e7;

/** A value of a band, and a check of the class that it must have. */
interface Trial {
  readonly band: Band;
  readonly value: number;
  readonly isRight: (code: number) => boolean;
  readonly name: string;
}

/**
 * Checks changes of a pixel one by one: a stated change alters the zoning, a smaller one does not, and without a stated change none does.
 * @returns the number of values tried
 */
export function assertNearest(
  pixel: RunPixel,
  changes: readonly NearestChange[],
  random: () => number,
): number {
  const before = zoningWith(pixel, new Map());
  const stays = (code: number) => code === before;
  const trials: Trial[] = [];
  for (const change of changes) {
    if (change.kind !== 'number') continue;
    const { band, from, bound, comparison, after } = change;
    const name = `${band.key} from ${from} ${comparison} ${bound}`;
    const step = comparison === 'below' ? -1 : 1;
    const first = comparison === 'below' ? besides(bound, -1) : bound;
    assert.ok(comparison === 'below' ? first < from : first > from, name);
    assert.notEqual(after.code, before, name);
    trials.push({ band, value: first, isRight: (code) => code === (after.code ?? 0), name });
    const last = besides(first, step === 1 ? -1 : 1);
    for (const value of [last, ...between(from, last, random)])
      trials.push({ band, value, isRight: stays, name: `${name}: ${value} alters it already` });
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
        trials.push({
          band,
          value,
          isRight: stays,
          name: `${band.key} ${value} alters it, which nothing says`,
        });
    }
  }
  for (const band of pixel.graph.given) {
    if (band.type !== 'uint8') continue;
    for (const value of band.classes) {
      const said: NearestChange | undefined = changes.find(
        (each) => each.kind === 'class' && each.band === band && each.to.includes(value),
      );
      const after = said?.after.code;
      if (said !== undefined) assert.notEqual(after, before, `${band.key} ${value}`);
      const isRight = (code: number) => (after === undefined ? code === 0 || stays(code) : code === after);
      trials.push({ band, value, isRight, name: `${band.key} ${value}` });
    }
  }
  const found = zoningsWith(
    pixel,
    trials.map(({ band, value }) => new Map([[band.key, value]])),
  );
  for (const [index, { isRight, name }] of trials.entries()) {
    const code = found[index] ?? assert.fail();
    assert.ok(isRight(code), `${name}: ${code}, before ${before}`);
  }
  return trials.length;
}

/** Checks the changes of parameters of a pixel against all values that a parameter may have. */
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
