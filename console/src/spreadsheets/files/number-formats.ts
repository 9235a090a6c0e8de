import type { Cell } from '../model/types.ts';

/** The relevant kinds of number formats. */
export type Shown = 'number' | 'percent' | 'date' | 'month' | 'year' | 'time';

/** A number format: its kind, and the divisor that it applies. */
export interface Format {
  readonly shown: Shown;
  readonly divisor: number;
  /** Number of digits to which zeros are added in front, as in codes; 0 for none. */
  readonly digits: number;
}

export const plainFormat: Format = { shown: 'number', divisor: 1, digits: 0 };

/** The built-in formats of other kinds than numbers. */
const builtIn: ReadonlyMap<number, Shown> = new Map([
  [9, 'percent'],
  [10, 'percent'],
  [17, 'month'],
  ...[14, 15, 16, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, 'time'] as const),
]);

/** Returns the built-in format with a number. */
export function builtInFormat(id: number): Format {
  return { ...plainFormat, shown: builtIn.get(id) ?? 'number' };
}

/** Reads the code of a number format, such as `0.0%` or `dd.mm.yyyy`. */
export function formatOf(formatCode: string): Format {
  const shown = shownBy(formatCode);
  if (shown !== 'number') return { ...plainFormat, shown };
  return { shown, divisor: divisorOf(formatCode), digits: onlyZeros.exec(formatCode)?.[1]?.length ?? 0 };
}

/** A format of zeros alone, such as `00000000000` for codes of eleven digits. */
const onlyZeros = /^(0{2,30})(?:;|$)/;

/** Each comma after the last digit of a format divides by a thousand: `#,##0.0,,` shows millions. */
function divisorOf(formatCode: string): number {
  const [first = ''] = formatCode.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/gs, '').split(';', 1);
  const commas = /[0#?.](,+)[^0#?.,]*$/.exec(first)?.[1]?.length ?? 0;
  return 1000 ** commas;
}

/** Reads the first section of a format, for positive numbers. */
function shownBy(formatCode: string): Shown {
  const bare = formatCode
    .replace(/"[^"]*"|\\.|_.|\*./gs, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';', 1)[0]
    ?.toLowerCase();
  if (bare === undefined || bare.includes('general') || /[#?0]/.test(bare.replace(/s\.0+/, '')))
    return bare?.includes('%') === true ? 'percent' : 'number';
  if (/d/.test(bare)) return 'date';
  if (/[hs]/.test(bare)) return 'time';
  if (/y/.test(bare)) return /m/.test(bare) ? 'month' : 'year';
  return /m/.test(bare) ? 'date' : 'number';
}

const dayMs = 86_400_000;
/** Excel counts 29 February 1900, which did not exist. */
const leapError = 60;
/** 31 December 9999. */
const lastSerial = 2_958_466;

/** Returns a date or a time in ISO form; undefined for a number outside the range of dates. */
function dateText(serial: number, shown: Shown, is1904: boolean): string | undefined {
  if (!(serial >= 0 && serial < lastSerial)) return undefined;
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < leapError ? 31 : 30);
  const iso = new Date(Math.round((first + serial * dayMs) / 60_000) * 60_000).toISOString();
  if (shown === 'year') return iso.slice(0, 4);
  if (shown === 'month') return iso.slice(0, 7);
  if (serial < 1) return iso.slice(11, 16);
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 16);
}

/** A double has 15 reliable digits, and spreadsheet programs show no more. */
const trustedDigits = 15;

/** Returns a number as its format shows it, apart from rounding and separators. */
export function numberCell(exact: number, { shown, divisor, digits }: Format, is1904: boolean): Cell {
  const value = String(exact).length > trustedDigits ? Number(exact.toPrecision(trustedDigits)) : exact;
  if (shown === 'percent') return `${Number((value * 100).toPrecision(trustedDigits))}%`;
  if (shown !== 'number') return dateText(value, shown, is1904) ?? value;
  if (divisor !== 1) return Number((value / divisor).toPrecision(trustedDigits));
  const isShort = Number.isInteger(value) && value >= 0 && String(value).length < digits;
  return isShort ? String(value).padStart(digits, '0') : value;
}
