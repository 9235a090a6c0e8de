import { readPeriod, readPeriods, speaksOfTime } from '../../../../common/table/periods/read.ts';
import { letterOf, lineOf, periodOf } from '../model/cells.ts';
import { guessRoles } from './roles.ts';
import { partOfTitle, speaksOfOtherTime } from './title-times.ts';
import type { Tally } from '../model/tally.ts';
import type { Cell, Choice, Column, NumberedRow, Period } from '../model/types.ts';

interface Found {
  /** Indices of the columns that have a name or a cell. */
  readonly used: readonly number[];
  readonly names: readonly string[];
  readonly rows: readonly NumberedRow[];
}

/** The columns of a table, with their roles and the times in their names. */
export function columnsOf(
  { used, names, rows }: Found,
  { roles: chosen }: Choice,
  tally: Tally,
): readonly Column[] {
  const named = used.map((source) => names[source] ?? '');
  // Lines with one cell at the end are not rows, and would distort the guess.
  const last = rows.findLastIndex(({ cells }) => cells.filter((cell) => cell !== null).length > 1);
  const cells = rows.slice(0, last + 1).map((row) => used.map((source) => row.cells[source] ?? null));
  const roles = guessRoles(named, cells);
  remarkShortCodes(named, roles, cells, tally);
  const taken = new Set<string>();
  const columns = used.map((source, index): Column => {
    const wanted = named[index] === undefined || named[index] === '' ? letterOf(source) : named[index];
    let name = wanted;
    for (let again = 2; taken.has(name); again += 1) name = `${wanted} (${again})`;
    if (name !== wanted) tally.add('namesRepeated', { text: wanted });
    taken.add(name);
    return { name, role: chosen?.get(source) ?? roles[index] ?? 'note', source };
  });
  return withPeriods(columns);
}

/** Codes of two to eight digits beside names are from another classification: the names are used. */
function remarkShortCodes(
  names: readonly string[],
  roles: readonly string[],
  cells: readonly (readonly Cell[])[],
  tally: Tally,
): void {
  for (const [index, name] of names.entries()) {
    if (roles[index] !== 'note' || !/(?<!\p{L})(?:като|kato|код|code)/iu.test(name)) continue;
    const short = cells.map((row) => lineOf(row[index])).filter((text) => /^\d{2,8}$/.test(text));
    if (short.length > 0)
      tally.add('codesShort', { count: short.length, column: name, text: short[0] ?? '' });
  }
}

function withPeriods(columns: readonly Column[]): readonly Column[] {
  const periods = readPeriods(columns.map(({ name }) => name));
  return columns.map((column, index) => {
    const { period: _, ...bare } = column;
    const period = column.role === 'value' ? periods[index] : undefined;
    return period === undefined ? bare : { ...bare, period: boundsOf(period) };
  });
}

function boundsOf({ start_date, end_date }: Period): Period {
  return { start_date, end_date };
}

/** If no column names a time, the title or the name of the sheet may give it for all columns. */
export function datedBy(
  columns: readonly Column[],
  title: string | undefined,
  sheetName: string,
  tally: Tally,
): readonly Column[] {
  if (columns.some(({ role }) => role === 'period')) return columns;
  if (columns.some(({ period }) => period !== undefined)) return withPartOfTitle(columns, title, tally);
  const text = [title, sheetName].find((each) => each !== undefined && periodOf(each) !== undefined);
  const found = text === undefined ? undefined : periodOf(text);
  const values = columns.filter(({ role }) => role === 'value');
  if (found === undefined || text === undefined || values.length === 0) return columns;
  const { start_date, end_date, kind } = found;
  const label =
    kind === 'year'
      ? start_date.slice(0, 4)
      : [start_date, ...(end_date === null ? [] : [end_date])].join(' – ');
  const named = columns.map((column) => {
    if (column.role !== 'value' || speaksOfOtherTime(column.name)) return column;
    // `I квартал` below a title with 2023 is a quarter of that year; below a title with a month it is ambiguous.
    if (!speaksOfTime(column.name)) return { ...column, name: `${column.name} (${label})` };
    return kind === 'year' ? { ...column, name: `${column.name} ${label}` } : column;
  });
  const dated = withPeriods(named);
  const count = dated.filter(({ period }) => period !== undefined).length;
  if (count > 0) tally.add('periodAbove', { text, became: label, count });
  // A name that gives another time stays as it is.
  return dated.map((column, index) =>
    column.period === undefined && column.role === 'value' ? (columns[index] ?? column) : column,
  );
}

/** `На 1 января` in the title means that day of each year below it, and `январь-июнь` those months. */
function withPartOfTitle(
  columns: readonly Column[],
  title: string | undefined,
  tally: Tally,
): readonly Column[] {
  const values = columns.filter(({ role, period }) => role === 'value' && period !== undefined);
  const areYears = values.every(({ name }) => periodOf(name)?.kind === 'year' && !speaksOfTime(name));
  const part = title === undefined || !areYears ? undefined : partOfTitle(title);
  if (part === undefined) return columns;
  const dated = withPeriods(
    columns.map((column) =>
      values.includes(column) ? { ...column, name: `${part} ${column.name}` } : column,
    ),
  );
  const isWithin = dated.every(({ period }, at) => {
    const year = columns[at]?.period?.start_date.slice(0, 4);
    return year === period?.start_date.slice(0, 4);
  });
  if (!isWithin) return columns;
  tally.add('partAbove', { text: title ?? '', became: part, count: values.length });
  return dated;
}

/** Adds remarks on columns of values that mention a time that is not understood. */
export function remarkOpenPeriods(columns: readonly Column[], tally: Tally): void {
  for (const { name, role, period } of columns) {
    const isOpen = role === 'value' && period === undefined;
    if (isOpen && (/(?<!\d)(?:19|20)\d\d(?!\d)/.test(name) || speaksOfTime(name) || speaksOfOtherTime(name)))
      tally.add('periodsOpen', { text: name });
  }
}

/** Removes the times that do not follow from the names of all columns, since the service reads the names again. */
export function confirmedByNames(columns: readonly Column[]): readonly Column[] {
  const read = readPeriods(columns.map(({ name }) => name));
  return columns.map((column, index) => {
    if (column.period === undefined) return column;
    const { start_date, end_date } = read[index] ?? {};
    const isSame = column.period.start_date === start_date && column.period.end_date === end_date;
    const { period: _, ...bare } = column;
    return isSame ? column : bare;
  });
}

/** The year in a title, if it mentions only one. */
export function yearOfTitle(title: string | undefined): string | undefined {
  const read = title === undefined ? undefined : readPeriod(lineOf(title));
  return read?.kind === 'year' ? read.start_date.slice(0, 4) : undefined;
}
