import { lineOf, periodOf } from '../model/cells.ts';
import { distinctUnits, readUnit } from '../../../../common/table/measure-units.ts';
import { isUnitColumn } from './units.ts';
import { confirmedByNames, yearOfTitle } from './columns.ts';
import { partNames } from './roles.ts';
import { createTally, type Tally } from '../model/tally.ts';
import { partOfTitle } from './title-times.ts';
import type { Cell, Column, Table } from '../model/types.ts';
import { keyOf } from './understand.ts';

/** A column of the wide table: the values of one time, indicator and column of the long one. */
interface Target {
  readonly name: string;
  readonly period: Column['period'];
  readonly order: string;
  readonly unit: string | undefined;
}

/**
 * Converts a long table to a wide one: one row for each district, one column for each time and indicator. Other tables stay as they are.
 */
export function widen(table: Table): Table {
  if (!table.isLong) return table;
  const tally = createTally();
  const indexesOf = (role: Column['role']): number[] =>
    table.columns.flatMap((column, index) => (column.role === role ? [index] : []));
  const values = indexesOf('value');
  const [periods, [indicator]] = [indexesOf('period'), indexesOf('indicator')];
  const timeOf = createTimes(table, periods, tally);
  const others = table.columns
    .keys()
    .filter((index) => !periods.includes(index) && index !== indicator && !values.includes(index))
    .toArray();
  const targets = new Map<string, Target>();
  const places = new Map<
    string,
    {
      readonly number: number;
      readonly cells: readonly Cell[];
      readonly values: Map<string, Cell>;
      readonly remarks: Map<string, string>;
    }
  >();
  const differing = new Set<number>();
  const unitColumn = table.columns.findIndex(isUnitColumn);
  const isOfSeveralUnits = severalUnits(table, { indicator, unitColumn });
  for (const [at, row] of table.rows.entries()) {
    const number = table.rowNumbers[at] ?? 0;
    const key = keyOf(table.columns, row);
    const place = places.get(key) ?? { number, cells: row, values: new Map(), remarks: new Map() };
    places.set(key, place);
    for (const index of others) if (lineOf(row[index]) !== lineOf(place.cells[index])) differing.add(index);
    const time = timeOf(row);
    const read = periodOf(time);
    if (periods.length > 0 && read === undefined) {
      tally.add('periodsUnreadable', { row: number, text: lineOf(time) });
      continue;
    }
    for (const index of values) {
      const parts = [lineOf(time), ...(indicator === undefined ? [] : [lineOf(row[indicator])])];
      const isNamed = indicator !== undefined && lineOf(row[indicator]) !== '';
      const isDated = periods.length === 0 && table.columns[index]?.period !== undefined;
      if (values.length > 1 || isDated || (!isNamed && (indicator !== undefined || periods.length === 0)))
        parts.push(table.columns[index]?.name ?? '');
      const ownUnit = unitColumn === -1 ? '' : lineOf(row[unitColumn]);
      const plain = parts.filter((part) => part !== '').join(' ');
      const isOfOne = ownUnit === '' || !isOfSeveralUnits(row);
      const name = isOfOne ? plain : `${plain}, ${ownUnit}`;
      if (!targets.has(name))
        targets.set(name, {
          name,
          period:
            read === undefined
              ? table.columns[index]?.period
              : { start_date: read.start_date, end_date: read.end_date },
          order: read?.start_date ?? '',
          unit: ownUnit || (readUnit(name)?.text ?? table.columns[index]?.unit),
        });
      if (place.values.has(name))
        tally.add('valuesTwice', { row: number, text: lineOf(row[index]), column: name });
      else {
        place.values.set(name, row[index] ?? null);
        const remark = table.cellRemarks[at]?.get(index);
        if (remark !== undefined) place.remarks.set(name, remark);
      }
    }
  }
  const left = others.filter((index) => differing.has(index) && table.columns[index]?.role === 'note');
  // Its cells are the units of the new columns.
  for (const index of left.filter((each) => each !== unitColumn))
    tally.add('columnsLeftOut', { text: table.columns[index]?.name ?? '' });
  const kept = others.filter((index) => !left.includes(index));
  const taken = new Set(kept.map((index) => table.columns[index]?.name));
  const ordered = [...targets.values()].toSorted((a, b) =>
    a.order < b.order ? -1 : a.order > b.order ? 1 : 0,
  );
  const columns = [
    ...table.columns.filter((_, index) => kept.includes(index)),
    ...ordered.map(({ name, period: time, unit }): Column => {
      const free = taken.has(name) ? `${name} (2)` : name;
      const measured = unit === undefined ? {} : { unit };
      return { name: free, role: 'value', ...(time === undefined ? {} : { period: time }), ...measured };
    }),
  ];
  const wide = [...places.values()];
  const confirmed = confirmedByNames(columns);
  for (const [index, { name, period }] of columns.entries())
    if (period !== undefined && confirmed[index]?.period === undefined)
      tally.add('periodsOpen', { text: name });
  return {
    ...table,
    columns: confirmed,
    rows: wide.map(({ cells, values: found }) => [
      ...kept.map((index) => cells[index] ?? null),
      ...ordered.map(({ name }) => found.get(name) ?? null),
    ]),
    cellRemarks: wide.map(({ remarks }) =>
      remarks.size === 0
        ? undefined
        : new Map(
            ordered.flatMap(({ name }, index) => {
              const remark = remarks.get(name);
              return remark === undefined ? [] : [[kept.length + index, remark] as const];
            }),
          ),
    ),
    rowNumbers: wide.map(({ number }) => number),
    isLong: false,
    remarks: [...table.remarks, ...tally.remarks()],
  };
}

/**
 * Returns a function that tells whether the indicator of a row has several units in the table, so that its values must
 * not share a column.
 */
function severalUnits(
  { rows }: Table,
  { indicator, unitColumn }: { readonly indicator: number | undefined; readonly unitColumn: number },
): (row: readonly Cell[]) => boolean {
  const keyOfRow = (row: readonly Cell[]): string => (indicator === undefined ? '' : lineOf(row[indicator]));
  const units = new Map<string, Set<string>>();
  if (unitColumn !== -1)
    for (const row of rows) {
      const unit = lineOf(row[unitColumn]);
      const key = keyOfRow(row);
      if (unit !== '') units.set(key, (units.get(key) ?? new Set()).add(unit));
    }
  const several = new Set(
    [...units].flatMap(([key, found]) => (distinctUnits(found).length > 1 ? [key] : [])),
  );
  return (row) => several.has(keyOfRow(row));
}

/** Returns a function that reads the time of a row: from one column, or from a year and a quarter, month or half-year in another. */
function createTimes(
  { columns, title }: Table,
  periods: readonly number[],
  tally: Tally,
): (row: readonly Cell[]) => string {
  const named = periods.map((index) => {
    const name = columns[index]?.name.trim() ?? '';
    return { index, part: partNames.find(([spelling]) => spelling.test(name)) };
  });
  const year = periods.length === 1 ? yearOfTitle(title) : undefined;
  const part = periods.length === 1 && title !== undefined ? partOfTitle(title) : undefined;
  const periodText = (cell: Cell, part: (typeof partNames)[number] | undefined): string => {
    const text = lineOf(cell);
    if (part === undefined || text === '' || !/^(?:\d{1,2}|I{1,3}|IV)$/.test(text)) return text;
    const [, unit] = part;
    return unit === 'мес' ? `M${text}` : `${text} ${unit}`;
  };
  return (row) => {
    const texts = named.map(({ index, part }) => periodText(row[index] ?? null, part));
    const own = texts.join(' ');
    if (part !== undefined && periodOf(own)?.kind === 'year') {
      tally.add('partAbove', { text: title ?? '', became: part });
      return `${part} ${own}`;
    }
    if (periods.length <= 1)
      return periodOf(own) === undefined && year !== undefined ? joined([year, own]) : own;
    // The one that is the year comes first.
    const sorted = texts.toSorted((a, b) => Number(/\d{4}/.test(b)) - Number(/\d{4}/.test(a)));
    return joined(sorted);
  };
}

function joined(texts: readonly string[]): string {
  return texts.join(' ').replace(/ M(\d{1,2})$/, 'M$1');
}
