/** Characters that Golos Text has, and that names, units and labels are written with. */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xae, 0xff],
  [0x401, 0x40c],
  [0x40e, 0x44f],
  [0x451, 0x45c],
  [0x45e, 0x45f],
  // Kazakh, and its neighbours: Kyrgyz, Tatar, Bashkir, Uzbek, Tajik, Uighur, Mongolian.
  [0x490, 0x49d],
  [0x4a0, 0x4a5],
  [0x4a8, 0x4ab],
  [0x4ae, 0x4b3],
  [0x4b6, 0x4bb],
  [0x4d8, 0x4d9],
  [0x4e2, 0x4e3],
  [0x4e8, 0x4e9],
  [0x4ee, 0x4ef],
];
/** Latin Kazakh, Turkish and Uzbek; marks, signs of money and of numbers. */
const others = 'ĞğİıŞşŪūÑñŊŋÁáÇçÖöÜüÄäİ–—‘’‚“”„†•…‹›€₸№™ℓ↑↓−';

/** Signs that the font lacks, made of those that it has. Lengths are parts of the font size, upwards. */
export type Part =
  | { readonly text: string; readonly size: number; readonly up: number; readonly right?: number }
  /** A bar below, as wide as the character. */
  | { readonly bar: number };

const raised = (text: string): readonly Part[] => [{ text, size: 0.62, up: 0.33 }];
const lowered = (text: string): readonly Part[] => [{ text, size: 0.62, up: -0.13 }];

const numerals = (zero: number, made: (text: string) => readonly Part[], digits: string) =>
  [...digits].map((digit) => [String.fromCodePoint(zero + Number(digit)), made(digit)] as const);

export const madeSigns: ReadonlyMap<string, readonly Part[]> = new Map([
  ['≤', [{ text: '<', size: 1, up: 0.07 }, { bar: 0 }]],
  ['≥', [{ text: '>', size: 1, up: 0.07 }, { bar: 0 }]],
  [
    '≈',
    [
      { text: '~', size: 1, up: 0.1 },
      { text: '~', size: 1, up: -0.1 },
    ],
  ],
  [
    '≠',
    [
      { text: '=', size: 1, up: 0 },
      { text: '/', size: 0.9, up: 0.03, right: 0.1 },
    ],
  ],
  [
    '‰',
    [
      { text: '%', size: 1, up: 0 },
      { text: 'o', size: 0.62, up: 0, right: 0.8 },
    ],
  ],
  ...numerals(0x2070, raised, '0456789'),
  ['⁺', raised('+')],
  ['⁻', raised('−')],
  ...numerals(0x2080, lowered, '0123456789'),
]);

/** Every character that the font itself draws, once, in order. */
export function drawnCharacters(): readonly string[] {
  const listed = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  const codes = [...listed, ...[...others].map((character) => character.codePointAt(0) ?? 0)];
  return [...new Set(codes)].toSorted((one, other) => one - other).map((code) => String.fromCodePoint(code));
}
