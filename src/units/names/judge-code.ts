import { allOf, type Candidate, confidences, fitting, type Judgement, none } from './judgement.ts';
import type { Language, NameIndex, Unit } from './name-index.ts';
import type { Spelling } from './spelling.ts';

/** Matches a code, with the name beside it if the cell has both. */
export function judgeCode(index: NameIndex, code: string, { parts }: Spelling): Judgement {
  const found = index.unitsOfCode(code);
  const toCandidate = (unit: Unit, confidence: number): Candidate => ({
    unit,
    confidence,
    languages: new Set(),
  });
  const [part] = parts;
  const named = part === undefined ? [] : fitting(allOf(index, part), part).flatMap(({ units }) => units);
  const both = found.filter(({ unit }) => named.some(({ kato }) => kato === unit.kato));
  const meant = named.length === 0 ? found : both;
  const today = meant.filter(({ isPast }) => !isPast);
  const [only, other] = today.length > 0 ? today : meant;
  if (only === undefined) {
    const all = new Set([...found.map(({ unit }) => unit), ...named]);
    if (all.size === 0) return judgeUnknownCode(index, code);
    const candidates = [...all].map((unit) => toCandidate(unit, confidences.misfit));
    return { status: 'doubtful', reason: 'code_and_name', remark: null, candidates, isOpen: false };
  }
  if (other !== undefined || !only.isSame) {
    const candidates = meant.map(({ unit }) => toCandidate(unit, confidences.misfit));
    return { status: 'doubtful', reason: 'divided', remark: 'former_code', candidates, isOpen: false };
  }
  const candidates = [toCandidate(only.unit, only.isPast ? confidences.former : confidences.name)];
  if (!only.isPast) return { status: 'exact', reason: 'code', remark: null, candidates, isOpen: false };
  return { status: 'exact', reason: 'former_code', remark: 'former_code', candidates, isOpen: false };
}

/**
 * A city without the villages of its administration has a code that differs from the city's in one digit; any other
 * code below a district has no unit.
 */
function judgeUnknownCode({ units }: NameIndex, code: string): Judgement {
  const unit = units.get(`${code.slice(0, 4)}00000`);
  if (unit === undefined || unit.level === 'region') return none('unknown');
  if (unit.kind !== 'city' || code.slice(4) !== '10000') return none('below_district');
  const candidates = [{ unit, confidence: confidences.region, languages: new Set<Language>() }];
  return { status: 'likely', reason: 'code', remark: null, candidates, isOpen: false };
}
