import { allocable, leadingSector, sensitivity, useZone } from '../graph/nodes.ts';
import { isNeverMissing } from '../graph/zoning-inputs.ts';
import { allocableLand } from '../graph/kernels/land.ts';
import type { Band } from '../model/bands.ts';
import { type Decision, type Rated, ratedIn, type ValueOf } from '../model/explanation.ts';
import { landCover } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeParams } from '../model/params.ts';
import { shortestOf } from './floats.ts';
import type { ExplainedFactor } from './schema.ts';
import type { Locale } from './locale.ts';

/** The explanation of a node for a pixel. */
export interface NodeStep {
  readonly node: GraphNode;
  readonly value: number | undefined;
  readonly rated: readonly Rated[];
  /** The decision; without a value, the reason: land not allocable, or missing inputs. */
  readonly decision: Decision | { readonly rule: 'missing'; readonly by: readonly string[] };
}

/** Returns the explanation of a node for its value. */
export function stepOf(node: GraphNode, valueOf: ValueOf, params: LandscapeParams): NodeStep {
  const { explanation, inputs, output } = node;
  const rated = ratedIn(explanation.quantities, valueOf);
  const value = valueOf(output);
  if (value !== undefined)
    return { node, value, rated, decision: explanation.decide(rated, valueOf, params) };
  const land = valueOf(allocable.output);
  const isSetAside = inputs.includes(allocable.output) && land !== undefined && land !== allocableLand;
  if (isSetAside) return { node, value, rated, decision: { rule: 'not_allocable', by: [allocable.code] } };
  const missing = inputs.filter((band) => !isNeverMissing(band) && valueOf(band) === undefined);
  return { node, value, rated, decision: { rule: 'missing', by: missing.map(({ key }) => key) } };
}

/** Returns the factors of a node in the language of the reader. */
export function factorsOf({ rated, decision }: NodeStep, locale: Locale): ExplainedFactor[] {
  const isCondition = ({ quantity }: Rated) => quantity.bands[0] === allocable.output;
  return rated.filter((each) => !isCondition(each)).map((each) => factorOf(each, decision.by, locale));
}

function factorOf(
  { quantity: { name, bands, table }, value, rating }: Rated,
  by: readonly string[],
  locale: Locale,
): ExplainedFactor {
  const [band] = bands;
  const own = bands.length === 1 && (band?.key === name || table instanceof Float64Array) ? band : undefined;
  const [from, below] = boundsOf(table, value);
  const isInterval = rating !== undefined && !(table instanceof Float64Array);
  return {
    name,
    title: own?.key === name ? locale.titleOf(own) : locale.nameOf(name),
    group: own?.group ?? null,
    value: value === undefined ? null : own?.type === 'uint8' ? value : shortestOf(value),
    class_title: own === undefined ? null : locale.classOf(own, value),
    unit: own === undefined ? null : locale.unitOf(own),
    rating: rating === undefined || rating === 0 ? null : rating,
    from,
    below,
    interval: isInterval ? locale.interval(from, below, own?.unit ?? null) : null,
    is_limiting: by.includes(name) && rating !== undefined,
  };
}

/** Returns the interval of a table that contains a value. */
function boundsOf(table: Rated['quantity']['table'], value: number | undefined) {
  if (table === undefined || table instanceof Float64Array || value === undefined)
    return [null, null] as const;
  const stored = Math.fround(value);
  const above = table.breaks.findIndex((bound) => stored < bound);
  const k = above === -1 ? table.breaks.length : above;
  const [from, below] = [table.breaks[k - 1], table.breaks[k]];
  return [
    from === undefined ? null : shortestOf(from),
    below === undefined ? null : shortestOf(below),
  ] as const;
}

/** Formats a quantity with its value within a sentence, such as `slope 5.8 %`. */
export function namedValue(name: string, { rated }: Pick<NodeStep, 'rated'>, locale: Locale): string {
  const found = rated.find(({ quantity }) => quantity.name === name);
  const [band] = found?.quantity.bands ?? [];
  if (found?.value === undefined || band === undefined || band.key !== name) return locale.nameOf(name);
  return `${locale.nameOf(name)} ${locale.valueOf(band, found.value)}`;
}

/** Describes the decision in one sentence. */
export function textOf(step: NodeStep, valueOf: ValueOf, locale: Locale): string {
  const { words } = locale;
  const { node, decision } = step;
  const value = step.value ?? 0;
  const land = () => locale.classTitle(landCover, valueOf(landCover) ?? 0);
  const names = locale.namesOf(decision.by) ?? '';
  switch (decision.rule) {
    case 'neighbourhood':
      return words.neighbourhood;
    case 'missing':
      return words.noValue(locale.namesOf(decision.by));
    case 'not_allocable':
      return words.notAllocable(notAllocableTitle(valueOf, locale));
    case 'formula':
      return words.formula(locale.namesOf(decision.by));
    case 'classes':
      return words.allocable(land(), locale.classTitle(node.output, value));
    case 'least_rating':
      return words.leastRating(listOfValues(step, locale), value);
    case 'floor':
      return words.floor(listOfValues(step, locale), value);
    case 'greatest_rating':
      if (node !== sensitivity)
        return words.mostSuited(sectorsOf(decision.by, locale), greatestOf(decision.by, step));
      return words.greatestRating(listOfValues(step, locale), value);
    case 'order':
      return words.ordered(sectorsOf(decision.by, locale), locale.sectorOf(value));
    case 'thresholds':
      return testTexts(decision, locale).join(' ') || words.noThreshold(valueOf(sensitivity.output) ?? 0);
    case 'combination': {
      const [zone, sector] = [useZone.output, leadingSector.output].map((band: Band) =>
        locale.classTitle(band, valueOf(band) ?? 0),
      );
      return words.combination(zone ?? '', sector ?? '', valueOf(sensitivity.output) ?? 0);
    }
    default:
      return names;
  }
}

/** Returns the suitability of the deciding sectors, which the inputs of the node contain. */
function greatestOf(sectors: readonly string[], { node, rated }: NodeStep): number {
  const band = node.inputs[Number(sectors[0]) - 1];
  return rated.find(({ quantity }) => quantity.bands[0] === band)?.value ?? 0;
}

/** Lists the deciding quantities with their values. */
export function listOfValues(step: NodeStep, locale: Locale): string {
  return locale.words.list(step.decision.by.map((name) => namedValue(name, step, locale)));
}

export function sectorsOf(numbers: readonly string[], locale: Locale): string {
  return locale.words.list(numbers.map((each) => locale.sectorOf(Number(each))));
}

/** Returns the reason why land is not allocable. */
export function notAllocableTitle(valueOf: ValueOf, locale: Locale): string {
  return locale.classTitle(allocable.output, valueOf(allocable.output) ?? 0);
}

/** Returns a sentence for each tested threshold. */
export function testTexts({ tests = [] }: Decision, { words, paramOf }: Locale): readonly string[] {
  return tests.map(({ param, threshold, suitability, isMet }) =>
    (isMet ? words.reached : words.notReached)(paramOf(param), threshold, suitability),
  );
}
