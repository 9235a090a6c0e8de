import { functionalZoning, leadingSector, maxSuitability, sensitivity, useZone } from '../graph/nodes.ts';
import { nodeByCode, nodes } from '../graph/graph.ts';
import type { Band } from '../model/bands.ts';
import type { ValueOf } from '../model/explanation.ts';
import { changeAnswers } from './change-answers.ts';
import { nearestChanges, outcomeOf, type RunPixel } from './changes.ts';
import { shortestOf } from './floats.ts';
import { evaluateIn, valuesIn } from './pixel.ts';
import type { InputAtPlace, PlaceOfRun } from './read-place.ts';
import type { LandscapeExplanation } from './schema.ts';
import type { Locale } from './locale.ts';
import { factorsOf, listOfValues, type NodeStep, stepOf, testTexts, textOf, sectorsOf } from './steps.ts';
import { landCover } from '../model/leaves.ts';
import type { LandscapeParams } from '../model/params.ts';

interface Explained {
  readonly lon: number;
  readonly lat: number;
  readonly pixel: RunPixel;
  readonly place: PlaceOfRun;
  readonly at: { readonly column: number; readonly row: number };
}

/** Returns the answer for a place outside the grid. */
export function answerOutside(
  { lon, lat }: Pick<Explained, 'lon' | 'lat'>,
  { language, words }: Locale,
): LandscapeExplanation {
  return {
    lon,
    lat,
    language,
    is_on_grid: false,
    pixel: null,
    sentence: words.outside,
    code: null,
    zone: null,
    S: null,
    E: null,
    rule: null,
    sectors: [],
    nodes: [],
    inputs: [],
    missing: [],
    nearest_changes: [],
    notes: [],
  };
}

/** Returns the answer for a pixel of the grid. */
export function answerOf({ lon, lat, pixel, place, at }: Explained, locale: Locale): LandscapeExplanation {
  const { values, params } = pixel;
  const valueOf = valuesIn(values);
  const computed = new Set(place.outputs.map(({ band }) => band.key));
  const steps = nodes.filter(({ code }) => computed.has(code)).map((node) => stepOf(node, valueOf, params));
  const stepFor = (code: string) => steps.find(({ node }) => node.code === code);
  const outcome = outcomeOf(values);
  const titled = (band: Band) => {
    const value = valueOf(band);
    return value === undefined ? null : { value, title: locale.classTitle(band, value) };
  };
  const again = evaluateIn(values, pixel.graph.nodes, params);
  const isConfirmed = (code: string) => again.get(code) === values.get(code);
  const pins = place.inputs.filter(({ band }) => nodeByCode(band.key) !== undefined);
  return {
    lon,
    lat,
    language: locale.language,
    is_on_grid: true,
    pixel: at,
    sentence: sentenceOf({ steps, valueOf, params, missing: place.inputs }, locale),
    code: titled(functionalZoning.output),
    zone: titled(useZone.output),
    S: suitabilityOf(pixel, stepFor(leadingSector.code), valueOf, locale),
    E: sensitivityOf(stepFor(sensitivity.code), valueOf, locale),
    rule: ruleOf(stepFor(useZone.code), stepFor(functionalZoning.code), valueOf, locale),
    sectors: sectorAnswers(stepFor, valueOf, locale),
    nodes: nodeAnswers({ steps, place, pins, isConfirmed, pixel }, valueOf, locale),
    inputs: place.inputs.map((input) => inputAnswer(input, locale)),
    missing: place.inputs.flatMap((input) => {
      const { band, missing } = input;
      if (missing === undefined) return [];
      const title = locale.titleOf(band);
      return [{ group: band.group, title, because: missing, text: locale.words.missing(title, missing) }];
    }),
    nearest_changes: changeAnswers(nearestChanges(pixel), outcome, locale),
    notes: notesOf({ steps, place, pins, isConfirmed, pixel }, locale),
  };
}

type Answer<Name extends keyof LandscapeExplanation> = LandscapeExplanation[Name];

/** Returns the numbers of the sectors with the greatest suitability. */
function greatestSectors(valueOf: ValueOf): readonly number[] {
  const suitabilities = maxSuitability.inputs.map((band) => valueOf(band) ?? 0);
  const greatest = Math.max(...suitabilities);
  return suitabilities.flatMap((each, i) => (each === greatest && each > 0 ? [i + 1] : []));
}

function suitabilityOf(
  { params }: RunPixel,
  step: NodeStep | undefined,
  valueOf: ValueOf,
  locale: Locale,
): Answer<'S'> {
  const value = valueOf(maxSuitability.output);
  const leading = valueOf(leadingSector.output);
  if (value === undefined || leading === undefined) return null;
  const isOrdered = step?.decision.rule === 'order';
  return {
    value,
    title: locale.classTitle(maxSuitability.output, value),
    sectors: step === undefined ? [leading] : step.decision.by.map(Number),
    leading,
    decided_by: isOrdered ? 'order' : 'suitability',
    order: params.tie_priority,
    text:
      step === undefined
        ? locale.words.pinnedMap(locale.titleOf(leadingSector.output))
        : textOf(step, valueOf, locale),
  };
}

function sensitivityOf(step: NodeStep | undefined, valueOf: ValueOf, locale: Locale): Answer<'E'> {
  const value = valueOf(sensitivity.output);
  if (value === undefined) return null;
  return {
    value,
    title: locale.classTitle(sensitivity.output, value),
    because: step === undefined ? ['pinned'] : value === 1 ? ['none'] : [...step.decision.by],
    text:
      step === undefined
        ? locale.words.pinnedMap(locale.titleOf(sensitivity.output))
        : textOf(step, valueOf, locale),
  };
}

function ruleOf(
  zone: NodeStep | undefined,
  zoning: NodeStep | undefined,
  valueOf: ValueOf,
  locale: Locale,
): Answer<'rule'> {
  if (zoning === undefined) return null;
  if (zoning.decision.rule === 'not_allocable' || zoning.decision.rule === 'missing')
    return { code: zoning.decision.rule, tests: [], text: textOf(zoning, valueOf, locale) };
  if (zone === undefined)
    return { code: 'pinned', tests: [], text: locale.words.pinnedMap(locale.titleOf(useZone.output)) };
  const { decision } = zone;
  if (decision.rule === 'missing') return null;
  const texts = testTexts(decision, locale);
  return {
    code: 'thresholds',
    tests: (decision.tests ?? []).map(({ param, threshold, suitability, isMet }, i) => ({
      param,
      title: locale.paramOf(param),
      threshold,
      suitability,
      is_met: isMet,
      text: texts[i] ?? '',
    })),
    text: textOf(zone, valueOf, locale),
  };
}

function sectorAnswers(
  stepFor: (code: string) => NodeStep | undefined,
  valueOf: ValueOf,
  locale: Locale,
): Answer<'sectors'> {
  const greatest = greatestSectors(valueOf);
  // If a pinned map replaces the sectors, they were not evaluated.
  const isKnown = (band: Band) => valueOf(band) !== undefined || stepFor(band.key) !== undefined;
  return maxSuitability.inputs.flatMap((band, i) => {
    if (!isKnown(band)) return [];
    const [value, step] = [valueOf(band), stepFor(band.key)];
    const sector = i + 1;
    const limits = step?.decision.rule === 'least_rating' ? step.decision.by : [];
    const limited =
      step === undefined || limits.length === 0 || value === 5 ? undefined : listOfValues(step, locale);
    return [
      {
        sector,
        title: locale.sectorOf(sector),
        node: band.key,
        value: value ?? null,
        class_title: locale.classOf(band, value),
        is_greatest: greatest.includes(sector),
        is_pinned: step === undefined,
        limits: [...limits],
        factors: step === undefined ? [] : factorsOf(step, locale),
        text: locale.words.sector(locale.sectorOf(sector), value, limited),
      },
    ];
  });
}

interface Chain {
  readonly steps: readonly NodeStep[];
  readonly place: PlaceOfRun;
  readonly pins: readonly InputAtPlace[];
  readonly isConfirmed: (code: string) => boolean;
  readonly pixel: RunPixel;
}

function nodeAnswers(
  { steps, place, pins, isConfirmed, pixel }: Chain,
  valueOf: ValueOf,
  locale: Locale,
): Answer<'nodes'> {
  const datasetOf = new Map([...place.outputs, ...pins].map(({ band, datasetId }) => [band.key, datasetId]));
  const isComputed = new Set(pixel.graph.nodes.map(({ code }) => code));
  return nodes.flatMap((node) => {
    const datasetId = datasetOf.get(node.code);
    if (datasetId === undefined) return [];
    const step = steps.find((each) => each.node === node);
    const { output } = node;
    const value = valueOf(output);
    const title = locale.titleOf(output);
    return [
      {
        node: node.code,
        title,
        group: output.group,
        dataset_id: datasetId,
        is_pinned: step === undefined,
        value: value === undefined ? null : shortestOf(value),
        class_title: locale.classOf(output, value),
        unit: locale.unitOf(output),
        rule: step === undefined ? ('pinned' as const) : step.decision.rule,
        text: step === undefined ? locale.words.pinnedMap(title) : textOf(step, valueOf, locale),
        factors: step === undefined ? [] : factorsOf(step, locale),
        is_confirmed: isComputed.has(node.code) ? isConfirmed(node.code) : null,
      },
    ];
  });
}

function inputAnswer(input: InputAtPlace, locale: Locale): Answer<'inputs'>[number] {
  const { band, datasetId, raster, value, missing, resampling, isExact } = input;
  return {
    group: band.group,
    title: locale.titleOf(band),
    dataset_id: datasetId,
    name: raster.name,
    file: raster.filename,
    value: missing === undefined ? shortestOf(value) : null,
    class_title: missing === undefined ? locale.classOf(band, value) : null,
    unit: locale.unitOf(band),
    resampling,
    is_exact: isExact,
  };
}

function notesOf({ steps, place, pins, isConfirmed, pixel }: Chain, locale: Locale): Answer<'notes'> {
  const { words, titleOf } = locale;
  const list = (bands: readonly Band[]) => words.list(bands.map(titleOf));
  const approximate = place.inputs.filter(({ isExact }) => !isExact).map(({ band }) => band);
  const unconfirmed = pixel.graph.nodes.filter(({ code }) => !isConfirmed(code)).map(({ output }) => output);
  const pinned = pins.map(({ band }) => band);
  return [
    ...(steps.some(({ decision }) => decision.rule === 'neighbourhood')
      ? [{ code: 'neighbourhood' as const, text: words.neighboursDiffer }]
      : []),
    ...(approximate.length > 0
      ? [{ code: 'approximate' as const, text: words.approximate(list(approximate)) }]
      : []),
    ...(pinned.length > 0 ? [{ code: 'pinned' as const, text: words.endsAtPins(list(pinned)) }] : []),
    ...(unconfirmed.length > 0
      ? [{ code: 'not_confirmed' as const, text: words.notConfirmed(list(unconfirmed)) }]
      : []),
  ];
}

interface Facts {
  readonly steps: readonly NodeStep[];
  readonly valueOf: ValueOf;
  readonly params: LandscapeParams;
  readonly missing: readonly Pick<InputAtPlace, 'band' | 'missing'>[];
}

/** Explains a pixel of the grid in one sentence. */
function sentenceOf(facts: Facts, locale: Locale): string {
  const { steps, valueOf, missing } = facts;
  const { words } = locale;
  const code = valueOf(functionalZoning.output);
  if (code === undefined) {
    const names = missing.filter((each) => each.missing !== undefined).map(({ band }) => band.key);
    const said = locale.namesOf(names);
    return said === undefined ? words.holeWithoutReason : words.hole(said);
  }
  const title = `${locale.classTitle(functionalZoning.output, code)} (${code})`;
  const zoning = steps.find(({ node }) => node === functionalZoning);
  if (zoning?.decision.rule === 'not_allocable')
    return words.setAside(title, locale.classTitle(landCover, valueOf(landCover) ?? 0));
  const parts = [ofSectors(facts, locale), ...ofSensitivity(facts, locale)];
  return words.place(title, parts.join('; '));
}

function ofSectors({ steps, valueOf }: Facts, locale: Locale): string {
  const { words } = locale;
  const leader = valueOf(leadingSector.output) ?? 0;
  const suitability = valueOf(maxSuitability.output) ?? 0;
  const leading = steps.find(({ node }) => node === leadingSector);
  if (leading?.decision.rule === 'order')
    return words.tie(sectorsOf(leading.decision.by, locale), suitability, locale.sectorOf(leader));
  const band = maxSuitability.inputs[leader - 1];
  const step = steps.find(({ node }) => node.output === band);
  const isLimited = step?.decision.rule === 'least_rating' && suitability < 5;
  return words.best(locale.sectorOf(leader), suitability, isLimited ? listOfValues(step, locale) : undefined);
}

function ofSensitivity({ steps, valueOf }: Facts, locale: Locale): readonly string[] {
  const { words } = locale;
  const e = valueOf(sensitivity.output) ?? 0;
  const step = steps.find(({ node }) => node === sensitivity);
  const because = step === undefined ? undefined : listOfValues(step, locale);
  const own = step !== undefined && e === 1 ? words.nothingInDanger(e) : words.ownSensitivity(e, because);
  const zone = steps.find(({ node }) => node === useZone);
  if (zone?.decision.rule !== 'thresholds' || zone.value !== 3) return [own];
  // The last threshold is the lowest zone that was possible for the place.
  const last = zone.decision.tests?.at(-1);
  return [own, last === undefined ? words.neverDeveloped : words.missed(last.suitability, last.threshold)];
}
