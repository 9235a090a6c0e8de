import { isRemarksName, remarksNameOf } from '../../../../common/table/marks.ts';
import {
  distinctUnits,
  factorBetween,
  isSameUnit,
  parseUnit,
  readUnit,
} from '../../../../common/table/measure-units.ts';
import type { Dataset } from '../../service/types.ts';
import type { Draft, Measure } from './draft.ts';

type Described = Pick<Dataset, 'attribute_columns' | 'unit' | 'year_columns'>;

/**
 * Returns a function that finds the unit and the remarks of a column: its unit is in its name, or that of the dataset.
 */
export function measuresOf({ attribute_columns: columns, unit, year_columns: years }: Described) {
  const names = new Set((columns ?? []).map(({ name }) => name));
  // After a conversion the dataset has the unit of the map, and its columns the one before.
  const converted = (years ?? []).find(
    ({ column, factor }) => factor !== undefined && readUnit(column) === undefined,
  );
  const common = converted?.source_unit ?? unit ?? '';
  return (column: string): Measure => {
    const own = readUnit(column)?.text ?? common;
    const remarks = remarksNameOf(column);
    return {
      ...(own === '' ? {} : { unit: own }),
      ...(names.has(remarks) ? { remarks_column: remarks } : {}),
    };
  };
}

/** Returns true for a column with the remarks on another column of the table. */
export function isOfRemarks(column: string, names: readonly string[]): boolean {
  return isRemarksName(column) && names.some((name) => remarksNameOf(name) === column);
}

const sourceOf = ({ unit, source_unit: source }: Measure): string | undefined => source ?? unit;

export interface Units {
  /** The different units of the columns in the file. */
  readonly all: readonly string[];
  /** Number of columns without a unit. */
  readonly unknown: number;
  /** True if all units measure one quantity, so that they can be converted. */
  readonly areOfOneQuantity: boolean;
  /** The unit of the map, if a person chose one. */
  readonly chosen: string | undefined;
}

/** The units of the columns of values. */
export function unitsIn({ values }: Draft): Units {
  const measures = [...values.values()];
  const found = distinctUnits(measures.map(sourceOf).filter((unit) => unit !== undefined));
  const all = found.toSorted((a, b) => (parseUnit(a)?.size ?? 0) - (parseUnit(b)?.size ?? 0));
  const quantities = new Set(all.map((unit) => parseUnit(unit)?.quantity));
  return {
    all,
    unknown: measures.filter((measure) => sourceOf(measure) === undefined).length,
    areOfOneQuantity: quantities.size === 1 && !quantities.has(undefined),
    chosen: measures.find(({ factor }) => factor !== undefined)?.unit,
  };
}

/** Converts the columns of values to one unit; without one, their values stay as they are in the file. */
export function withUnit(draft: Draft, wanted: string | undefined): Draft {
  const target = wanted === undefined ? undefined : parseUnit(wanted);
  const values = [...draft.values].map(([column, mapped]) => {
    const { factor: _factor, source_unit: _source, unit: _unit, ...rest } = mapped;
    const source = sourceOf(mapped);
    if (source === undefined) return [column, rest] as const;
    const from = parseUnit(source);
    const factor =
      target === undefined || from === undefined || isSameUnit(from, target)
        ? undefined
        : factorBetween(from, target);
    if (target === undefined || factor === undefined) return [column, { ...rest, unit: source }] as const;
    return [column, { ...rest, unit: target.text, source_unit: source, factor }] as const;
  });
  return { ...draft, values: new Map(values) };
}
