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
import type { Speech } from './speech.ts';
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
  { language, words }: Speech,
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
export function answerOf({ lon, lat, pixel, place, at }: Explained, speech: Speech): LandscapeExplanation {
  const { values, params } = pixel;
  const valueOf = valuesIn(values);
  const computed = new Set(place.outputs.map(({ band }) => band.key));
  const steps = nodes.filter(({ code }) => computed.has(code)).map((node) => stepOf(node, valueOf, params));
  const stepFor = (code: string) => steps.find(({ node }) => node.code === code);
  const outcome = outcomeOf(values);
  const titled = (band: Band) => {
    const value = valueOf(band);
    return value === undefined ? null : { value, title: speech.classTitle(band, value) };
  };
  const again = evaluateIn(values, pixel.graph.nodes, params);
  const isConfirmed = (code: string) => again.get(code) === values.get(code);
  const pins = place.inputs.filter(({ band }) => nodeByCode(band.key) !== undefined);
  return {
    lon,
    lat,
    language: speech.language,
    is_on_grid: true,
    pixel: at,
    sentence: sentenceOf({ steps, valueOf, params, missing: place.inputs }, speech),
    code: titled(functionalZoning.output),
    zone: titled(useZone.output),
    S: suitabilityOf(pixel, stepFor(leadingSector.code), valueOf, speech),
    E: sensitivityOf(stepFor(sensitivity.code), valueOf, speech),
    rule: ruleOf(stepFor(useZone.code), stepFor(functionalZoning.code), valueOf, speech),
    sectors: sectorAnswers(stepFor, valueOf, speech),
    nodes: nodeAnswers({ steps, place, pins, isConfirmed, pixel }, valueOf, speech),
    inputs: place.inputs.map((input) => inputAnswer(input, speech)),
    missing: place.inputs.flatMap((input) => {
      const { band, missing } = input;
      if (missing === undefined) return [];
      const title = speech.titleOf(band);
      return [{ group: band.group, title, because: missing, text: speech.words.missing(title, missing) }];
    }),
    nearest_changes: changeAnswers(nearestChanges(pixel), outcome, speech),
    notes: notesOf({ steps, place, pins, isConfirmed, pixel }, speech),
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
  speech: Speech,
): Answer<'S'> {
  const value = valueOf(maxSuitability.output);
  const leading = valueOf(leadingSector.output);
  if (value === undefined || leading === undefined) return null;
  const isOrdered = step?.decision.rule === 'order';
  return {
    value,
    title: speech.classTitle(maxSuitability.output, value),
    sectors: step === undefined ? [leading] : step.decision.by.map(Number),
    leading,
    decided_by: isOrdered ? 'order' : 'suitability',
    order: params.tie_priority,
    text:
      step === undefined
        ? speech.words.pinnedMap(speech.titleOf(leadingSector.output))
        : textOf(step, valueOf, speech),
  };
}

function sensitivityOf(step: NodeStep | undefined, valueOf: ValueOf, speech: Speech): Answer<'E'> {
  const value = valueOf(sensitivity.output);
  if (value === undefined) return null;
  return {
    value,
    title: speech.classTitle(sensitivity.output, value),
    because: step === undefined ? ['pinned'] : value === 1 ? ['none'] : [...step.decision.by],
    text:
      step === undefined
        ? speech.words.pinnedMap(speech.titleOf(sensitivity.output))
        : textOf(step, valueOf, speech),
  };
}

function ruleOf(
  zone: NodeStep | undefined,
  zoning: NodeStep | undefined,
  valueOf: ValueOf,
  speech: Speech,
): Answer<'rule'> {
  if (zoning === undefined) return null;
  if (zoning.decision.rule === 'not_allocable' || zoning.decision.rule === 'missing')
    return { code: zoning.decision.rule, tests: [], text: textOf(zoning, valueOf, speech) };
  if (zone === undefined)
    return { code: 'pinned', tests: [], text: speech.words.pinnedMap(speech.titleOf(useZone.output)) };
  const { decision } = zone;
  if (decision.rule === 'missing') return null;
  const texts = testTexts(decision, speech);
  return {
    code: 'thresholds',
    tests: (decision.tests ?? []).map(({ param, threshold, suitability, isMet }, i) => ({
      param,
      title: speech.paramOf(param),
      threshold,
      suitability,
      is_met: isMet,
      text: texts[i] ?? '',
    })),
    text: textOf(zone, valueOf, speech),
  };
}

function sectorAnswers(
  stepFor: (code: string) => NodeStep | undefined,
  valueOf: ValueOf,
  speech: Speech,
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
      step === undefined || limits.length === 0 || value === 5 ? undefined : listOfValues(step, speech);
    return [
      {
        sector,
        title: speech.sectorOf(sector),
        node: band.key,
        value: value ?? null,
        class_title: speech.classOf(band, value),
        is_greatest: greatest.includes(sector),
        is_pinned: step === undefined,
        limits: [...limits],
        factors: step === undefined ? [] : factorsOf(step, speech),
        text: speech.words.sector(speech.sectorOf(sector), value, limited),
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
  speech: Speech,
): Answer<'nodes'> {
  const datasetOf = new Map([...place.outputs, ...pins].map(({ band, datasetId }) => [band.key, datasetId]));
  const isComputed = new Set(pixel.graph.nodes.map(({ code }) => code));
  return nodes.flatMap((node) => {
    const datasetId = datasetOf.get(node.code);
    if (datasetId === undefined) return [];
    const step = steps.find((each) => each.node === node);
    const { output } = node;
    const value = valueOf(output);
    const title = speech.titleOf(output);
    return [
      {
        node: node.code,
        title,
        group: output.group,
        dataset_id: datasetId,
        is_pinned: step === undefined,
        value: value === undefined ? null : shortestOf(value),
        class_title: speech.classOf(output, value),
        unit: speech.unitOf(output),
        rule: step === undefined ? ('pinned' as const) : step.decision.rule,
        text: step === undefined ? speech.words.pinnedMap(title) : textOf(step, valueOf, speech),
        factors: step === undefined ? [] : factorsOf(step, speech),
        is_confirmed: isComputed.has(node.code) ? isConfirmed(node.code) : null,
      },
    ];
  });
}

function inputAnswer(input: InputAtPlace, speech: Speech): Answer<'inputs'>[number] {
  const { band, datasetId, raster, value, missing, resampling, isExact } = input;
  return {
    group: band.group,
    title: speech.titleOf(band),
    dataset_id: datasetId,
    name: raster.name,
    file: raster.filename,
    value: missing === undefined ? shortestOf(value) : null,
    class_title: missing === undefined ? speech.classOf(band, value) : null,
    unit: speech.unitOf(band),
    resampling,
    is_exact: isExact,
  };
}

function notesOf({ steps, place, pins, isConfirmed, pixel }: Chain, speech: Speech): Answer<'notes'> {
  const { words, titleOf } = speech;
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
function sentenceOf(facts: Facts, speech: Speech): string {
  const { steps, valueOf, missing } = facts;
  const { words } = speech;
  const code = valueOf(functionalZoning.output);
  if (code === undefined) {
    const names = missing.filter((each) => each.missing !== undefined).map(({ band }) => band.key);
    const said = speech.namesOf(names);
    return said === undefined ? words.holeWithoutReason : words.hole(said);
  }
  const title = `${speech.classTitle(functionalZoning.output, code)} (${code})`;
  const zoning = steps.find(({ node }) => node === functionalZoning);
  if (zoning?.decision.rule === 'not_allocable')
    return words.setAside(title, speech.classTitle(landCover, valueOf(landCover) ?? 0));
  const parts = [ofSectors(facts, speech), ...ofSensitivity(facts, speech)];
  return words.place(title, parts.join('; '));
}

function ofSectors({ steps, valueOf }: Facts, speech: Speech): string {
  const { words } = speech;
  const leader = valueOf(leadingSector.output) ?? 0;
  const suitability = valueOf(maxSuitability.output) ?? 0;
  const leading = steps.find(({ node }) => node === leadingSector);
  if (leading?.decision.rule === 'order')
    return words.tie(sectorsOf(leading.decision.by, speech), suitability, speech.sectorOf(leader));
  const band = maxSuitability.inputs[leader - 1];
  const step = steps.find(({ node }) => node.output === band);
  const isLimited = step?.decision.rule === 'least_rating' && suitability < 5;
  return words.best(speech.sectorOf(leader), suitability, isLimited ? listOfValues(step, speech) : undefined);
}

function ofSensitivity({ steps, valueOf }: Facts, speech: Speech): readonly string[] {
  const { words } = speech;
  const e = valueOf(sensitivity.output) ?? 0;
  const step = steps.find(({ node }) => node === sensitivity);
  const because = step === undefined ? undefined : listOfValues(step, speech);
  const own = step !== undefined && e === 1 ? words.nothingInDanger(e) : words.ownSensitivity(e, because);
  const zone = steps.find(({ node }) => node === useZone);
  if (zone?.decision.rule !== 'thresholds' || zone.value !== 3) return [own];
  // The last threshold is the lowest zone that was possible for the place.
  const last = zone.decision.tests?.at(-1);
  return [own, last === undefined ? words.neverDeveloped : words.missed(last.suitability, last.threshold)];
}
