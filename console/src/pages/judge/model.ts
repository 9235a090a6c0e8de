import {
  type Cell,
  cells,
  isContested,
  notAllocableCell,
  sectorsOf,
} from '../../../../common/landscape/cells.ts';
import { createStabilityOf } from '../../../../common/landscape/stability.ts';
import {
  codeOfCell,
  notAllocableCode,
  type ZoningCase,
  zoneOfCode,
} from '../../../../common/landscape/zoning.ts';
import type { Balance, Conflicts, LandscapeGraph, Stability } from '../../service/types.ts';
import { type RunRequest, valueIn } from '../../service/run-request.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import type { Language } from '../../words/languages.ts';

type Land = Pick<Balance['raster'], 'area_ha' | 'not_allocable_ha' | 'no_data_ha' | 'ha'>;
type Unit = Balance['units'][number];

/** Hectares by code of the functional zoning, without the land that cannot be allotted. */
type ByCode = ReadonlyMap<number, number>;

/** Land in the case of the run and in the case on the screen, in hectares. */
export interface JudgedLand {
  readonly land: Land;
  /** Undefined for the whole grid, and for the land in no unit. */
  readonly unit: Unit | undefined;
  /** Land in the grid of the run. */
  readonly mapped: number;
  readonly before: ByCode;
  readonly after: ByCode;
  /** Land of V1, V2 and V3. */
  readonly zonesBefore: readonly number[];
  readonly zones: readonly number[];
  /** Land whose zone or leading sector changes. */
  readonly changed: number;
  readonly contested: number;
  /** Land that can be allotted and has a zone. */
  readonly zoned: number;
}

/** The parameters of a run on which zones depend. */
export function zoningOf(params: LandscapeGraph['params'], request: RunRequest): ZoningCase {
  const values = new Map(params.map((param) => [param.name, valueIn(request, param)]));
  const least = (name: string) => Number(values.get(name) ?? 1);
  const order = values.get('tie_priority');
  return {
    v1_min_s_e12: least('v1_min_s_e12'),
    v1_min_s_e3: least('v1_min_s_e3'),
    v2_min_s_e3: least('v2_min_s_e3'),
    v2_min_s_e4: least('v2_min_s_e4'),
    tie_priority: typeof order === 'object' ? order : [],
  };
}

/** The cells of a balance. */
export function cellsIn(balance: Pick<Balance, 'cells'>): readonly Cell[] {
  return balance.cells.map(([s, e, mask]) => ({ s, e, mask }));
}

/** Returns a function that judges land of a balance by the zones of a case, beside those of the run. */
export function judgeBy(
  counted: readonly Cell[],
  run: ZoningCase,
  shown: ZoningCase,
): (land: Land, unit?: Unit) => JudgedLand {
  const own = counted.map((cell) => codeOfCell(cell, run));
  const moved = counted.map((cell) => codeOfCell(cell, shown));
  return (land, unit) => {
    const [before, after] = [sumBy(own, land.ha), sumBy(moved, land.ha)];
    return {
      land,
      unit,
      mapped: land.area_ha - (unit?.outside_raster_ha ?? 0),
      before,
      after,
      zonesBefore: zonesOf(before),
      zones: zonesOf(after),
      changed: sum(land.ha.filter((_, at) => own[at] !== moved[at])),
      contested: sum(land.ha.filter((_, at) => isContestedAt(counted, at))),
      zoned: sum(land.ha),
    };
  };
}

function isContestedAt(counted: readonly Cell[], at: number): boolean {
  const cell = counted[at];
  return cell !== undefined && isContested(cell);
}

function sumBy(codes: readonly number[], hectares: readonly number[]): ByCode {
  const sums = new Map<number, number>();
  for (const [at, code] of codes.entries()) sums.set(code, (sums.get(code) ?? 0) + (hectares[at] ?? 0));
  return sums;
}

function zonesOf(byCode: ByCode): readonly number[] {
  return [1, 2, 3].map((zone) =>
    sum([...byCode].flatMap(([code, hectares]) => (zoneOfCode(code) === zone ? [hectares] : []))),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Hectares of each pair of suitability and sensitivity, by `S` and `E`. */
export function pairsOf(
  counted: readonly Cell[],
  { ha }: Pick<Land, 'ha'>,
): (s: number, e: number) => number {
  const sums = new Map<number, number>();
  for (const [at, { s, e }] of counted.entries())
    sums.set(10 * s + e, (sums.get(10 * s + e) ?? 0) + (ha[at] ?? 0));
  return (s, e) => sums.get(10 * s + e) ?? 0;
}

/** The subject of the map. */
export const views = ['zones', 'changed', 'contested', 'stability'] as const;
export type View = (typeof views)[number];

/** The drawing of a cell: `#rrggbb`, pale if it is not selected, and hatched. */
export interface Drawing {
  readonly color: string;
  readonly isPale?: boolean;
  readonly isHatched?: boolean;
}

interface DrawingFacts {
  readonly run: ZoningCase;
  readonly shown: ZoningCase;
  /** Colours of the functional zoning by code. */
  readonly colours: ReadonlyMap<number, string>;
  /** The code of the functional zoning that is shown alone. */
  readonly onlyCode: number | undefined;
  /** True if contested land is hatched where the order has chosen the sector. */
  readonly isHatched: boolean;
  readonly sets: Conflicts['sets'];
  /** The set of sectors that is shown alone, as `keyOfSet` writes it. */
  readonly onlySet: string | undefined;
  readonly legend: readonly Stability['legend'][number][];
}

const unknown = '#808080';
/** The colour of land that is not the subject of the map. */
export const neutralColour = '#dddbd2';
const reserved = 3;

/** Returns a function that gives the drawing of a cell by its number; undefined if nothing is drawn. */
export function drawingsOf(view: View, facts: DrawingFacts): (number: number) => Drawing | undefined {
  const { colours, run, shown, onlyCode } = facts;
  const colourOf = (code: number) => colours.get(code) ?? unknown;
  const notAllocable: Drawing =
    view === 'zones'
      ? {
          color: colourOf(notAllocableCode),
          isPale: onlyCode !== undefined && onlyCode !== notAllocableCode,
        }
      : { color: neutralColour };
  const draw = drawingIn(view, facts, colourOf);
  return (number) => {
    if (number === notAllocableCell) return notAllocable;
    const cell = cells[number - 1];
    return cell && draw(cell, { before: codeOfCell(cell, run), after: codeOfCell(cell, shown) });
  };
}

type DrawCell = (cell: Cell, codes: { readonly before: number; readonly after: number }) => Drawing;

function drawingIn(view: View, facts: DrawingFacts, colourOf: (code: number) => string): DrawCell {
  const { shown, onlyCode, isHatched, sets, onlySet, legend } = facts;
  switch (view) {
    case 'changed':
      return (_, { before, after }) => ({ color: before === after ? neutralColour : colourOf(after) });
    case 'contested': {
      const bySet = new Map(sets.map(({ sectors, color }) => [keyOfSet(sectors), color]));
      return (cell) => {
        if (!isContested(cell)) return { color: neutralColour };
        const own = keyOfSet(sectorsOf(cell.mask));
        const key = bySet.has(own) ? own : keyOfSet(null);
        return { color: bySet.get(key) ?? unknown, isPale: onlySet !== undefined && onlySet !== key };
      };
    }
    case 'stability': {
      const byValue = new Map(legend.map(({ value, color }) => [value, color]));
      const stabilityOf = createStabilityOf(shown);
      return (cell) => ({ color: byValue.get(stabilityOf(cell)) ?? unknown });
    }
    default:
      return (cell, { after }) => ({
        color: colourOf(after),
        isPale: onlyCode !== undefined && onlyCode !== after,
        isHatched: isHatched && isContested(cell) && zoneOfCode(after) < reserved,
      });
  }
}

/** The key of a set of sectors; `other` for the remaining sets together. */
export function keyOfSet(sectors: readonly number[] | null): string {
  return sectors === null ? 'other' : sectors.toSorted((one, other) => one - other).join('-');
}

/** The columns of the table of units. */
export const columns = ['name', 'v1', 'v2', 'v3', 'changed', 'contested'] as const;
export type Column = (typeof columns)[number];

export interface Sorting {
  readonly column: Column;
  readonly isDescending: boolean;
}

const byName: Sorting = { column: 'name', isDescending: false };

/** Reads the order of rows in the address: a column, with `-` before it for descending order. */
export function sortingOf(text: string): Sorting {
  const isDescending = text.startsWith('-');
  const column = columns.find((each) => each === (isDescending ? text.slice(1) : text));
  return column === undefined ? byName : { column, isDescending };
}

/** Writes the order after a click on a column: the current order reversed, or the largest number first. */
export function columnOf(column: Column, now: Sorting): string | undefined {
  const isDescending = now.column === column ? !now.isDescending : column !== 'name';
  if (column === 'name' && !isDescending) return undefined;
  return `${isDescending ? '-' : ''}${column}`;
}

/** Sorts rows; rows with equal numbers are in the order of their names. */
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
