import { leadingSector, maxSuitability, sensitivity, useZone, functionalZoning } from '../graph/nodes.ts';
import type { ValueOf } from '../model/explanation.ts';
import { landCover } from '../model/leaves.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { InputAtPlace } from './read-place.ts';
import type { Speech } from './speech.ts';
import { listOfValues, type NodeStep, sectorsOf } from './steps.ts';

interface Facts {
  readonly steps: readonly NodeStep[];
  readonly valueOf: ValueOf;
  readonly params: LandscapeParams;
  readonly missing: readonly Pick<InputAtPlace, 'band' | 'missing'>[];
}

/** Explains a pixel of the grid in one sentence. */
export function sentenceOf(facts: Facts, speech: Speech): string {
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
