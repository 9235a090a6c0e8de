import type { ParquetColumn } from '../../lib/formats/parquet.ts';
import { remarkOf } from '../observations.ts';
import type { TableCell, TableFacts } from './open-table.ts';

/** A cell of an output row; a code stays text. */
export type OutCell = string | number | null | { readonly code: string };

/** Layout of a table: wide as uploaded, with a column for each period, or long, with a row for each value. */
export type TableShape = 'wide' | 'long';

/** Name and type of an output column: a `value` is a number, or a text in its place. */
export interface OutColumn {
  readonly name: string;
  readonly type: Extract<ParquetColumn['type'], 'text' | 'number' | 'date'> | 'value';
  /** Index of the column in the mapping, for a `value`. */
  readonly place?: number;
}

interface Layout {
  readonly columns: readonly OutColumn[];
  /** Yields batches of rows. */
  rows(cells: AsyncIterable<readonly TableCell[]>): AsyncGenerator<readonly (readonly OutCell[])[]>;
}

interface LayoutOptions {
  readonly facts: Pick<TableFacts, 'katoColumn' | 'columns' | 'divisor'>;
  readonly names: ReadonlyMap<string, string>;
}

interface WideOptions extends LayoutOptions {
  /** Label of rates, such as `per 1,000 ha`; undefined unless rates are requested. */
  readonly label: string | undefined;
}

interface LongOptions extends LayoutOptions {
  /** Result of `landSinceOf`, by code. */
  readonly landSince: ReadonlyMap<string, string>;
}

const longColumns: readonly OutColumn[] = [
  { name: 'kato_code', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'start_date', type: 'date' },
  { name: 'end_date', type: 'date' },
  { name: 'value', type: 'number' },
  { name: 'value_text', type: 'text' },
  { name: 'land_since', type: 'date' },
];
/** Only of a table whose mapping has units or remarks: files of others stay as they are. */
const longRemarkColumns: readonly OutColumn[] = [
  { name: 'unit', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'remark', type: 'text' },
];
const longRateColumns: readonly OutColumn[] = [
  { name: 'rate', type: 'number' },
  { name: 'rate_reason', type: 'text' },
  { name: 'denominator', type: 'number' },
  { name: 'denominator_start_date', type: 'date' },
  { name: 'denominator_end_date', type: 'date' },
];

/** Creates the long layout: one row for each value. */
export function longLayout({ facts: { columns, divisor }, names, landSince }: LongOptions): Layout {
  const used = columns.map((period) => divisor?.usedFor(period));
  const isRemarked = columns.some(({ unit, remarksColumn }) => unit !== null || remarksColumn !== null);
  const remarksOf = ({ column, value, remark }: TableCell): OutCell[] => {
    if (!isRemarked) return [];
    const said = remarkOf({ remark, text: typeof value === 'string' ? value : null });
    return [columns[column]?.unit ?? null, said.status, said.remark];
  };
  return {
    columns: [
      ...longColumns,
      ...(divisor === undefined ? [] : longRateColumns),
      ...(isRemarked ? longRemarkColumns : []),
    ],
    async *rows(cells) {
      for await (const some of cells) {
        yield some.map((cell): OutCell[] => {
          const { code, column, value } = cell;
          const { start_date: start = null, end_date: end = null } = columns[column] ?? {};
          const isNumber = typeof value === 'number';
          const row = [
            { code },
            names.get(code) ?? null,
            start,
            end,
            isNumber ? value : null,
            isNumber ? null : value,
            landSince.get(code) ?? null,
          ];
          if (divisor === undefined) return [...row, ...remarksOf(cell)];
          const period = used[column];
          const rated = divisor.rateOf({ ...cell, used: period });
          const reason = rated.rate === null ? rated.reason : null;
          return [
            ...row,
            rated.rate,
            reason,
            rated.divisor,
            period?.start_date ?? null,
            period?.end_date ?? null,
            ...remarksOf(cell),
          ];
        });
      }
    },
  };
}

/** Creates the wide layout: one row for each row of the table with a code, in their order. */
export function wideLayout({ facts: { katoColumn, columns, divisor }, names, label }: WideOptions): Layout {
  const used = columns.map((period) => divisor?.usedFor(period));
  const titles = columns.map(({ column }) => column);
  const remarked = columns.flatMap(({ remarksColumn }, place) =>
    remarksColumn === null ? [] : [{ place, name: remarksColumn }],
  );
  const rates = divisor === undefined ? [] : titles.map((title) => `${title}, ${label ?? ''}`);
  const rowOf = (code: string, cells: readonly TableCell[]): OutCell[] => {
    const values: OutCell[] = columns.map(() => null);
    const rated: OutCell[] = rates.map(() => null);
    const remarks: OutCell[] = columns.map(() => null);
    for (const cell of cells) {
      values[cell.column] = cell.value;
      remarks[cell.column] = cell.remark;
      if (divisor !== undefined)
        rated[cell.column] = divisor.rateOf({ ...cell, used: used[cell.column] }).rate;
    }
    const said = remarked.map(({ place }) => remarks[place] ?? null);
    return [{ code }, names.get(code) ?? null, ...values, ...rated, ...said];
  };
  return {
    columns: [
      { name: katoColumn, type: 'text' },
      { name: nameBeside('name', [katoColumn, ...titles]), type: 'text' },
      ...titles.map((name, place): OutColumn => ({ name, type: 'value', place })),
      ...rates.map((name): OutColumn => ({ name, type: 'number' })),
      ...remarked.map(({ name }): OutColumn => ({ name, type: 'text' })),
    ],
    async *rows(cells) {
      let [code, row, waiting]: [string, number, TableCell[]] = ['', -1, []];
      for await (const some of cells) {
        const made: OutCell[][] = [];
        for (const cell of some) {
          if (cell.row !== row && waiting.length > 0) {
            made.push(rowOf(code, waiting));
            waiting = [];
          }
          ({ code, row } = cell);
          waiting.push(cell);
        }
        if (made.length > 0) yield made;
      }
      if (waiting.length > 0) yield [rowOf(code, waiting)];
    },
  };
}

/** Returns a column name that is unique among others. */
export function nameBeside(wanted: string, others: Iterable<string>): string {
  const taken = new Set(others);
  let name = wanted;
  while (taken.has(name)) name = `unit_${name}`;
  return name;
}
