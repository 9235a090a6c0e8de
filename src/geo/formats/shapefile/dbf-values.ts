const nullJson = 'null';

/** A number as JSON has it, except that zeros may come before it. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const looseNumber = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;
const stars = /^\*+$/;
/** How programs write what is not a number; `IO`, `QO` and `R` are what rounding leaves of `IND` and `QNAN`. */
const notANumber = /^[+-]?(?:nan(?:\(\w*\))?|1\.#(?:IND|QNAN|SNAN|NAN|IO|QO|R)\d*)$/i;

/** Returns the JSON text of a trimmed cell of a number column, digit by digit; undefined for what is to stay a text. */
export function numberCell(letters: string): string | undefined {
  if (plainNumber.test(letters)) return letters;
  if (letters === '' || stars.test(letters) || notANumber.test(letters)) return nullJson;
  const [, sign, whole = '', fraction = '', exponent = ''] = looseNumber.exec(letters) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign === '-' ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
}

const written = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;

/**
 * Returns the JSON text of a trimmed cell of a date column; undefined, after a call of `noDate`, when it holds no date of
 * the calendar and is to stay a text.
 */
export function dateCell(letters: string, noDate: () => void): string | undefined {
  if (/^0*$/.test(letters) || stars.test(letters)) return nullJson;
  const [, year = '', , month = '', day = ''] = written.exec(letters) ?? [];
  if (isDate(Number(year), Number(month), Number(day))) return `"${year}-${month}-${day}"`;
  noDate();
  return undefined;
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day <= days;
}

const msPerDay = 86_400_000;
/** Julian days of 0001-01-01, 1970-01-01 and 9999-12-31. */
const [firstDay, epochDay, lastDay] = [1_721_426, 2_440_588, 5_373_484];

/** Whether a day of the Julian count and milliseconds since midnight name a time, or are both 0, which is none. */
export function isMoment(day: number, ms: number): boolean {
  return (day === 0 && ms === 0) || (day >= firstDay && day <= lastDay && ms < msPerDay);
}

/** Returns the JSON text of a time as ISO 8601 has it, without a zone. */
export function momentText(day: number, ms: number): string {
  if (day === 0) return nullJson;
  return `"${new Date((day - epochDay) * msPerDay + ms).toISOString().replace(/(?:\.000)?Z$/, '')}"`;
}
