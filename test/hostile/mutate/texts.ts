import type { Random } from './random.ts';

/** Texts that names, values and files can not be expected to hold. */
const oddTexts: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../../x.shp',
  '__proto__',
  'constructor',
  'NaN',
  'null',
  "'; drop table datasets; --",
  '"',
  '\\',
  '\u0000',
  '\u202e\u2066',
  '😀',
  'Ұ́Қ',
  '\ufeff',
  '%s%n%s',
  '${7*7}',
  '<script>alert(1)</script>',
  '/vsimem/x.tif',
  'x'.repeat(300),
  'я'.repeat(20_000),
];

export const oddText = (random: Random): string => random.pick(oddTexts);

/** Replaces a range; texts hold one byte in each character (latin1), what comes in is UTF-8. */
export const replaceRange = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + Buffer.from(by).toString('latin1') + text.slice(end);
