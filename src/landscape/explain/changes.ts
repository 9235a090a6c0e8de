import { functionalZoning, maxSuitability, sensitivity, useZone } from '../graph/nodes.ts';
import type { Band, FloatBand } from '../model/bands.ts';
import type { Quantity } from '../model/explanation.ts';
import type { GraphNode } from '../model/node.ts';
import { type LandscapeParams, paramFacts } from '../model/params.ts';
import type { RatingTable } from '../model/rating.ts';
import { floatAt, greatestFloat, ordinalOf } from './floats.ts';
import {
  evaluateIn,
  evaluateInto,
  followingFrom,
  leadingTo,
  noDataOf,
  type PixelGraph,
  type PixelValues,
  valuesIn,
} from './pixel.ts';

/** The result for a pixel; members are undefined without a value. */
export interface Outcome {
  readonly S: number | undefined;
  readonly E: number | undefined;
  readonly zone: number | undefined;
  readonly code: number | undefined;
}

/** A change of one factor or parameter that gives a pixel another class of the zoning. */
export type NearestChange = { readonly after: Outcome } & (
  | {
      readonly kind: 'number';
      readonly band: Band;
      readonly from: number;
      /** A float32: the least value reached from below, or the value that a decrease must pass. */
      readonly bound: number;
      readonly comparison: 'at_least' | 'below';
      /** The nearest float32 beyond the bound. */
      readonly to: number;
    }
  | {
      readonly kind: 'class';
      readonly band: Band;
      readonly from: number;
      /** All classes that lead to the same class of the zoning. */
      readonly to: readonly number[];
    }
  | { readonly kind: 'threshold'; readonly param: ThresholdParam; readonly from: number; readonly to: number }
  | { readonly kind: 'order'; readonly first: number; readonly second: number; readonly order: number[] }
);

type ThresholdParam = 'v1_min_s_e12' | 'v1_min_s_e3' | 'v2_min_s_e3' | 'v2_min_s_e4';

/** A pixel of a run: its values, the nodes that computed them, and the parameters. */
export interface RunPixel {
  readonly graph: PixelGraph;
  /** Values of all given bands and all nodes. */
  readonly values: PixelValues;
  readonly params: LandscapeParams;
}

/** Returns the outcome of values. */
export function outcomeOf(values: PixelValues): Outcome {
  const valueOf = valuesIn(values);
  return {
    S: valueOf(maxSuitability.output),
    E: valueOf(sensitivity.output),
    zone: valueOf(useZone.output),
    code: valueOf(functionalZoning.output),
  };
}

/**
 * Finds, for each factor and in each direction, the nearest value that gives the pixel another class of the zoning, and the same for
 * parameters. The result is exact: all measured values pass through a table of intervals, and each number computed from them is monotone.
 * A factor is left out if the kernels do not reproduce the values of the run from it.
 */
export function nearestChanges(pixel: RunPixel): readonly NearestChange[] {
  const { graph, values } = pixel;
  if (outcomeOf(values).code === undefined) return [];
  const rated = new Set(graph.nodes.flatMap(({ explanation }) => ratedBandsOf(explanation.quantities)));
  const computed = graph.nodes.map(({ output }) => output).filter((band) => rated.has(band));
  const bands = [...graph.given, ...computed];
  return [
    ...bands.flatMap((band) => (band.type === 'float32' ? changesOfNumber(pixel, band) : [])),
    ...graph.given.flatMap((band) => (band.type === 'uint8' ? changesOfClass(pixel, band) : [])),
    ...changesOfThresholds(pixel),
    ...changesOfOrder(pixel),
  ];
}

function ratedBandsOf(quantities: readonly Quantity[]): readonly Band[] {
  return quantities.flatMap(({ bands, table }) => (isIntervals(table) && bands.length === 1 ? bands : []));
}

function isIntervals(table: Quantity['table']): table is RatingTable {
  return table !== undefined && !(table instanceof Float64Array);
}

/** Evaluates nodes with other values; undefined if the kernels do not reproduce the values of the run. */
function trial(pixel: RunPixel, nodes: readonly GraphNode[]) {
  const { values, params } = pixel;
  const again = evaluateIn(values, nodes, params);
  if (nodes.some(({ code }) => again.get(code) !== values.get(code))) return undefined;
  return (key: string, value: number) => evaluateIn(new Map(values).set(key, value), nodes, params);
}

interface Candidate {
  readonly bound: number;
  readonly comparison: 'at_least' | 'below';
  readonly to: number;
}

function changesOfNumber(pixel: RunPixel, band: FloatBand): readonly NearestChange[] {
  const from = pixel.values.get(band.key) ?? noDataOf(band);
  const nodes = followingFrom(pixel.graph.nodes, [band.key]);
  const evaluate = from === noDataOf(band) ? undefined : trial(pixel, nodes);
  if (evaluate === undefined) return [];
  const before = outcomeOf(pixel.values).code;
  const candidates = candidatesOf(pixel, band, from, nodes).toSorted(
    (one, other) => Math.abs(one.to - from) - Math.abs(other.to - from),
  );
  return (['below', 'at_least'] as const).flatMap((comparison) => {
    for (const candidate of candidates) {
      if (candidate.comparison !== comparison) continue;
      const after = outcomeOf(evaluate(band.key, candidate.to));
      if (after.code !== before) return [{ kind: 'number' as const, band, from, ...candidate, after }];
    }
    return [];
  });
}

/** Returns the nearest values at which a table downstream gives another rating. */
function candidatesOf(
  pixel: RunPixel,
  band: FloatBand,
  from: number,
  nodes: readonly GraphNode[],
): readonly Candidate[] {
  const [least, greatest] = band.range ?? [-greatestFloat, greatestFloat];
  const [first, last] = [Math.max(least, -greatestFloat), Math.min(greatest, greatestFloat)];
  const reached = new Set([band, ...nodes.map(({ output }) => output)]);
  const bounds = new Set<number>();
  const seen: Quantity[] = [];
  const isSeen = ({ table, bands }: Quantity) =>
    seen.some((each) => each.table === table && each.bands.every((one, i) => one === bands[i]));
  for (const quantity of nodes.flatMap(({ explanation }) => explanation.quantities)) {
    const { table, bands, value } = quantity;
    if (!isIntervals(table) || !bands.some((each) => reached.has(each))) continue;
    if (bands.length === 1 && bands[0] === band) for (const bound of table.breaks) bounds.add(bound);
    else if (!isSeen(quantity)) {
      seen.push(quantity);
      const upstream = leadingTo(nodes, bands);
      const tried = new Map(pixel.values);
      const intervalAt = (ordinal: number) => {
        evaluateInto(tried.set(band.key, floatAt(ordinal)), upstream, pixel.params);
        const made = value(valuesIn(tried));
        return made === undefined ? 0 : intervalOf(table, made);
      };
      const [start, here, end] = [ordinalOf(first), ordinalOf(from), ordinalOf(last)];
      for (const at of jumpsOf(intervalAt, start, here)) bounds.add(floatAt(at));
      for (const at of jumpsOf(intervalAt, here, end)) bounds.add(floatAt(at));
    }
  }
  return [...bounds].flatMap((bound): Candidate[] => {
    if (bound > from) return bound <= last ? [{ bound, comparison: 'at_least', to: bound }] : [];
    const to = floatAt(ordinalOf(bound) - 1);
    return to >= first ? [{ bound, comparison: 'below', to }] : [];
  });
}

/** Returns the index of the interval of a table that contains a value. */
function intervalOf({ breaks }: RatingTable, value: number): number {
  const stored = Math.fround(value);
  return breaks.reduce((count, bound) => (stored >= bound ? count + 1 : count), 0);
}

/** Returns the whole numbers above `low`, up to `high`, at which a monotone function changes its value. */
function jumpsOf(valueAt: (at: number) => number, low: number, high: number): readonly number[] {
  const search = (from: number, to: number, atFrom: number, atTo: number): readonly number[] => {
    if (atFrom === atTo) return [];
    if (to - from === 1) return [to];
    const middle = from + Math.floor((to - from) / 2);
    const atMiddle = valueAt(middle);
    return [...search(from, middle, atFrom, atMiddle), ...search(middle, to, atMiddle, atTo)];
  };
  return low < high ? search(low, high, valueAt(low), valueAt(high)) : [];
}

function changesOfClass(pixel: RunPixel, band: Band): readonly NearestChange[] {
  const from = pixel.values.get(band.key) ?? noDataOf(band);
  const evaluate = trial(pixel, followingFrom(pixel.graph.nodes, [band.key]));
  if (evaluate === undefined || band.type !== 'uint8') return [];
  const before = outcomeOf(pixel.values).code;
  const byCode = new Map<number, { after: Outcome; to: number[] }>();
  for (const to of band.classes) {
    const after = outcomeOf(evaluate(band.key, to));
    if (to === from || after.code === undefined || after.code === before) continue;
    const known = byCode.get(after.code);
    if (known === undefined) byCode.set(after.code, { after, to: [to] });
    else known.to.push(to);
  }
  return [...byCode.values()].map(({ after, to }) => ({ kind: 'class', band, from, to, after }));
}

/** Evaluates the nodes that depend on a parameter, with other parameters. */
function trialOfParams(pixel: RunPixel, name: 'tie_priority' | ThresholdParam) {
  const { graph, values } = pixel;
  const own = graph.nodes.filter(({ params }) => params.includes(name));
  const after = followingFrom(
    graph.nodes,
    own.map(({ code }) => code),
  );
  const nodes = graph.nodes.filter((node) => own.includes(node) || after.includes(node));
  if (own.length === 0 || trial(pixel, nodes) === undefined) return undefined;
  return (params: LandscapeParams) => outcomeOf(evaluateIn(values, nodes, params));
}

function changesOfThresholds(pixel: RunPixel): readonly NearestChange[] {
  const names = ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'] as const;
  const before = outcomeOf(pixel.values).code;
  return names.flatMap((param) => {
    const evaluate = trialOfParams(pixel, param);
    if (evaluate === undefined) return [];
    const from = pixel.params[param];
    const [least, greatest] = paramFacts[param].limits;
    return [-1, 1].flatMap((step) => {
      for (let to = from + step; to >= least && to <= greatest; to += step) {
        const after = evaluate({ ...pixel.params, [param]: to });
        if (after.code !== before) return [{ kind: 'threshold' as const, param, from, to, after }];
      }
      return [];
    });
  });
}

/** Exchanges two neighbouring sectors of the order. */
function changesOfOrder(pixel: RunPixel): readonly NearestChange[] {
  const evaluate = trialOfParams(pixel, 'tie_priority');
  const { tie_priority: inOrder } = pixel.params;
  const before = outcomeOf(pixel.values).code;
  if (evaluate === undefined) return [];
  return inOrder.slice(1).flatMap((second, i) => {
    const first = inOrder[i] ?? second;
    const order = inOrder.with(i, second).with(i + 1, first);
    const after = evaluate({ ...pixel.params, tie_priority: order });
    return after.code === before
      ? []
      : [{ kind: 'order' as const, first: second, second: first, order, after }];
  });
}
