import { nameIn } from '../../map/units/unit-names.ts';
import type { Language } from '../../words/languages.ts';
import type { JudgedLand } from './model.ts';

/** The columns of the table of units. */
export const columns = ['name', 'v1', 'v2', 'v3', 'changed', 'contested'] as const;
export type Column = (typeof columns)[number];

export interface Sorting {
  readonly column: Column;
  readonly isDescending: boolean;
}

const byName: Sorting = { column: 'name', isDescending: false };

/** Reads the order of rows as the address has it: a column, with `-` before it where the largest comes first. */
export function sortingOf(text: string): Sorting {
  const isDescending = text.startsWith('-');
  const column = columns.find((each) => each === (isDescending ? text.slice(1) : text));
  return column === undefined ? byName : { column, isDescending };
}

/** Writes the order that a click on a column gives: the other way round of what it is, else the largest number first. */
export function columnOf(column: Column, now: Sorting): string | undefined {
  const isDescending = now.column === column ? !now.isDescending : column !== 'name';
  if (column === 'name' && !isDescending) return undefined;
  return `${isDescending ? '-' : ''}${column}`;
}

/** Sorts rows; those with the same number stay in the order of their names. */
export function sorted(
  rows: readonly JudgedLand[],
  { column, isDescending }: Sorting,
  language: Language,
): readonly JudgedLand[] {
  const collator = new Intl.Collator(language, { numeric: true });
  const sign = isDescending ? -1 : 1;
  const nameOf = ({ unit }: JudgedLand) => (unit === undefined ? '' : nameIn(unit, language));
  const names = rows.toSorted((one, other) => collator.compare(nameOf(one), nameOf(other)));
  if (column === 'name') return isDescending ? names.toReversed() : names;
  return names.toSorted((one, other) => sign * (numberIn(one, column) - numberIn(other, column)));
}

function numberIn(judged: JudgedLand, column: Exclude<Column, 'name'>): number {
  switch (column) {
    case 'changed':
      return judged.changed;
    case 'contested':
      return judged.contested;
    default:
      return judged.zones[Number(column.slice(1)) - 1] ?? 0;
  }
}
