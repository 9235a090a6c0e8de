import { remarksNameOf } from '../../../common/table/marks.ts';
import { type ReadPeriod, yearAs } from '../../../common/table/periods/read.ts';
import { listOf, matchOf } from './code-tally.ts';
import {
  ColumnMatch,
  type MappingSuggestion,
  type MatchFigures,
  type SuggestedColumn,
} from './match-schema.ts';
import type { ColumnFacts, TableFacts } from './table-facts.ts';

/** Typical names of code columns; they only decide between columns that match equally. */
const codeName = /kato|като|като|код|code/i;
const factualNote = /факт|fact|actual|нақты|отчет/i;
/** Average number of rows per unit above which a table counts as long. */
const rowsPerUnit = 1.5;

interface Candidate extends MatchFigures {
  readonly index: number;
  readonly column: string;
}

interface Columns {
  /** From 0. */
  readonly first: number;
  readonly most: number;
}

/** Suggests the columns of codes and values from the first rows of a table. */
export function suggestMapping(
  facts: TableFacts,
  districts: ReadonlySet<string>,
  { first, most }: Columns,
): Omit<MappingSuggestion, 'dataset_id'> {
  const matches = facts.tallies
    .map(({ column: index, tally }) => ({
      index,
      column: facts.columns[index]?.name ?? '',
      ...matchOf(tally, districts),
    }))
    .toSorted(byMatch);
  const kato = matches[0];
  const seen = new Set<string>();
  const repeated = facts.columns.map(({ name }) => seen.has(name) || !seen.add(name));
  const isValue = ({ period, numbers }: ColumnFacts, index: number) =>
    period !== null &&
    numbers > 0 &&
    repeated[index] === false &&
    !matches.some((match) => match.index === index);
  const dated = facts.columns.flatMap((column, index) =>
    isValue(column, index) ? [{ index, ...column }] : [],
  );
  const taken = new Set(chosen(dated));
  const starts = new Set([...taken].map((index) => facts.columns[index]?.period?.start_date));
  const reasonOf = (column: ColumnFacts, index: number): SuggestedColumn['reason'] => {
    if (index === kato?.index) return 'codes';
    if (matches.some((match) => match.index === index)) return 'other_codes';
    if (repeated[index] === true) return 'repeated_name';
    if (taken.has(index)) return 'period';
    if (column.numbers + column.texts === 0) return 'empty';
    if (column.period === null) return 'no_period';
    if (column.numbers === 0) return 'texts';
    return starts.has(column.period.start_date) ? 'same_start' : 'other_group';
  };
  const names = new Set(facts.columns.map(({ name }) => name));
  const columns = facts.columns.slice(first, first + most).map((column, at): SuggestedColumn => {
    const { name, codes, numbers, texts, empty } = column;
    const reason = reasonOf(column, first + at);
    const role = reason === 'codes' ? 'kato' : reason === 'period' ? 'value' : 'none';
    return { index: first + at, name, role, reason, period: column.period, codes, numbers, texts, empty };
  });
  return {
    kato_column: kato?.column ?? null,
    year_columns: dated
      .filter(({ index }) => taken.has(index))
      .map(({ name, period }) => ({ column: name, ...datesOf(period), ...remarksBeside(name, names) })),
    row_count: facts.row_count,
    counted_rows: facts.counted_rows,
    column_count: facts.columns.length,
    columns,
    rows: facts.rows.map((row) => row.slice(first, first + most)),
    matches: matches.map((match) => ColumnMatch.parse(match)),
    left_out: listOf(dated.flatMap(({ index, name }) => (taken.has(index) ? [] : [name]))),
    long_table: longTable(facts, kato),
  };
}

/** The column of remarks that the page adds beside a column of values. */
function remarksBeside(name: string, names: ReadonlySet<string>): { readonly remarks_column?: string } {
  const remarks = remarksNameOf(name);
  return names.has(remarks) ? { remarks_column: remarks } : {};
}

/** Sorts by number of units: a column of districts ranks above one of regions. */
function byMatch(one: Candidate, other: typeof one): number {
  return (
    other.units.length - one.units.length ||
    other.with_district - one.with_district ||
    Number(codeName.test(other.column)) - Number(codeName.test(one.column)) ||
    one.index - other.index
  );
}

function datesOf(period: ReadPeriod | null) {
  if (period === null) throw new Error('a column without a period is suggested');
  const { start_date, end_date } = yearAs(period, 'whole');
  return { start_date, end_date };
}

interface DatedColumn extends ColumnFacts {
  readonly index: number;
}

/**
 * Chooses columns that begin on different days: a map shows one value for each day. On collision, only columns of one
 * kind of period and one note are chosen, plus those without a note if none of these begins on the same day. The
 * largest group wins, then those without a note or with actual figures rather than plans.
 */
function chosen(dated: readonly DatedColumn[]): number[] {
  const starts = new Set(dated.map(({ period }) => period?.start_date));
  if (starts.size === dated.length) return dated.map(({ index }) => index);
  const byNote = Map.groupBy(dated, ({ period }) => `${period?.kind} ${period?.note.toLowerCase()}`);
  const groups = [...byNote.values()].map((group) => {
    const plain = byNote.get(`${group[0]?.period?.kind} `) ?? [];
    const own = new Set(group.map(({ period }) => period?.start_date));
    return plain.some(({ period }) => own.has(period?.start_date)) ? group : [...group, ...plain];
  });
  const startsOf = (group: readonly DatedColumn[]) =>
    [...Map.groupBy(group, ({ period }) => period?.start_date).values()].map(longestOf);
  const rank = (group: readonly DatedColumn[]) => {
    const note = group[0]?.period?.note ?? '';
    return startsOf(group).length + (note === '' ? 0.5 : factualNote.test(note) ? 0.25 : 0);
  };
  const [best = []] = groups.toSorted((one, other) => rank(other) - rank(one));
  return startsOf(best).flatMap((column) => (column === undefined ? [] : [column.index]));
}

/** Returns the longest period, such as January to June rather than January to March; the first of equal ones. */
function longestOf(columns: readonly DatedColumn[]): DatedColumn | undefined {
  const end = (column: DatedColumn) => column.period?.end_date ?? '';
  return columns.toSorted((one, other) => (end(one) < end(other) ? 1 : end(one) > end(other) ? -1 : 0))[0];
}

/** Returns the column of years if units are repeated. */
function longTable({ columns }: TableFacts, kato: Candidate | undefined) {
  if (kato === undefined) return null;
  const rows = kato.rows - kato.without_code;
  const isRepeated =
    kato.repeated_codes.total > 0 && rows >= rowsPerUnit * (kato.units.length + kato.unknown_codes.total);
  if (!isRepeated) return null;
  const found = columns.find(
    ({ periods, numbers, texts }, index) =>
      index !== kato.index && periods > 0 && periods >= 0.95 * (numbers + texts),
  );
  return found === undefined ? null : { period_column: found.name };
}
