import type { Entry, Language, NameIndex, Unit } from './name-index.ts';
import type { NamePart } from './spelling.ts';

/** Reasons for the status of a row. */
export const reasons = [
  ...(['code', 'name', 'sound', 'former_name', 'former_code'] as const),
  ...(['region', 'rows_around', 'language', 'level', 'other_rows'] as const),
  ...([
    'similar',
    'several',
    'divided',
    'other_kind',
    'other_region',
    'code_and_name',
    'code_reused',
    'unclear',
  ] as const),
  ...([
    'no_district',
    'district_unknown',
    'total',
    'country',
    'below_district',
    'not_in_service',
    'unknown',
    'empty',
  ] as const),
] as const;
export type Reason = (typeof reasons)[number];

export const remarks = [
  'total_of_unit',
  'former_name',
  'former_code',
  'former_region',
  'misspelled',
] as const;
export type Remark = (typeof remarks)[number];

export interface Candidate {
  readonly unit: Unit;
  /** 0 to 1. */
  readonly confidence: number;
  readonly languages: ReadonlySet<Language>;
}

/** Match of a name alone: one unit, several candidates, or none. */
export interface Judgement {
  readonly status: 'exact' | 'likely' | 'doubtful' | 'none';
  readonly reason: Reason;
  readonly remark: Remark | null;
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** True if surrounding rows can decide between the candidates. */
  readonly isOpen: boolean;
  /** True for a district named like its town in Russian or English, without a word for its kind. */
  readonly isNoun?: boolean;
}

export const none = (reason: Reason): Judgement => ({
  status: 'none',
  reason,
  remark: null,
  candidates: [],
  isOpen: false,
});

export const confidences = {
  name: 1,
  sound: 0.95,
  former: 0.97,
  total: 0.9,
  region: 0.85,
  misfit: 0.4,
} as const;

/** Returns all names that a text may stand for. */
export const allOf = (index: NameIndex, part: NamePart): readonly Entry[] =>
  index.find(part).flatMap(({ entries }) => entries);

/** Keeps the entries of the kind that the words beside the name state; in English a district may be called a region. */
export function fitting(entries: readonly Entry[], { kind, gender, key }: NamePart): readonly Entry[] {
  const said = kind ?? gender;
  if (said === undefined) return entries;
  const same = entries.filter((entry) => entry.kind === said);
  const isEnglish = /^\p{Script=Latin}/u.test(key);
  return same.length === 0 && said === 'region' && isEnglish
    ? entries.filter((entry) => entry.kind === 'district')
    : same;
}
