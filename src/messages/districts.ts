import { quoted } from '../lib/readable.ts';
import { invalid } from './define.ts';

type Level = 'region' | 'district';

/** Reasons not to import districts. */
export const districtProblems = {
  noRows: invalid(() => 'The file has no features; nothing was changed.'),
  noColumn: invalid(
    (option: string, column: string, columns: readonly string[]) =>
      `${option}: the file has no column "${column}"; it has ${columns.length === 0 ? 'none' : columns.join(', ')}.`,
  ),
  faultyRows: invalid(({ first, count, rows, codeColumn }: FaultyRows) => {
    const others = count > first.length ? `; and ${count - first.length} more like these` : '';
    const hint =
      codeColumn === undefined
        ? ''
        : ` Column ${quoted(codeColumn.found)} has the codes, not ${quoted(codeColumn.given)}: name it with --kato.`;
    return `${count} of ${rows} rows cannot be districts, so nothing was changed: ${first.join('; ')}${others}.${hint}`;
  }),
  emptiedLevel: invalid((level: Level, lost: number, given: number) => {
    const found = counted(given, level === 'region' ? 'district' : 'region');
    return (
      `--replace would remove ${counted(lost, level)}: the file has none, only ${found}. Nothing was changed. ` +
      `Leave --replace out to keep what the file does not have, or give --replace-all-levels to remove the ${level}s too.`
    );
  }),
};

interface FaultyRows {
  readonly first: readonly string[];
  /** The number of all faulty rows. */
  readonly count: number;
  readonly rows: number;
  /** The column that holds the codes, when it is another than the given one. */
  readonly codeColumn: { readonly found: string; readonly given: string } | undefined;
}

/** Faults of a row, without its number. */
export const rowFaults = {
  noCode: 'has no code',
  wrongCode: (text: string) => `has ${quoted(text)} where a code of digits belongs`,
  noName: (code: string) => `(${code}) has no name`,
  noGeometry: (code: string) => `(${code}) has no geometry`,
  notAnArea: (code: string, type: string) => `(${code}) is not an area but a ${type}`,
};

/** A fault with the number of its row. */
export const rowFault = {
  at: (row: number, fault: string) => `row ${row} ${fault}`,
  repeated: (row: number, code: string, earlier: number) =>
    `row ${row} has the code ${code}, as row ${earlier} has`,
};

function counted(count: number, level: Level): string {
  return `${count} ${level}${count === 1 ? '' : 's'}`;
}
