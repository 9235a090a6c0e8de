import { squareMetresPerHectare } from '../../../../common/formats/hectares.ts';
/** A class of a raster, as a column of a table of areas. */
export interface AreaClass {
  readonly value: number;
  readonly title: string | null;
  readonly color: string | null;
}

/** Hectares of a unit, not rounded. */
export interface UnitHectares {
  readonly area_ha: number;
  readonly classes: Readonly<Record<string, number>>;
  readonly no_data_ha: number;
  readonly outside_raster_ha: number;
}

/** A row of a table of areas. */
export interface AreaRow extends UnitHectares {
  /** KATO code of a unit, or number of a feature. */
  readonly key: string;
  readonly name: string;
}

/** The order of a table: the value of a class, with `-` before it for descending order. */
export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

export const ofClass = ({ classes }: UnitHectares, value: number): number => classes[String(value)] ?? 0;

/** The area of all classes together. */
export function classedArea({ classes }: UnitHectares): number {
  return Object.values(classes).reduce((sum, area) => sum + area, 0);
}

/** The area in the raster: classes and no data. */
export const inRaster = (unit: UnitHectares): number => classedArea(unit) + unit.no_data_ha;

/** The difference between the area of the unit and the sum of classes, no data and the area outside the raster, in square metres. */
export function differenceOf(unit: UnitHectares): number {
  return Math.abs(inRaster(unit) + unit.outside_raster_ha - unit.area_ha) * squareMetresPerHectare;
}

/** Reads a sorting from the address: `name`, `-classed`, `-11`. */
export function readSorting(text: string | null): Sorting {
  const column = (text ?? '-classed').replace(/^-/, '');
  const isKnown = /^(?:name|classed|nodata|outside|area|\d{1,9})$/.test(column);
  return isKnown
    ? { column, isDescending: (text ?? '-').startsWith('-') }
    : { column: 'classed', isDescending: true };
}

export const writeSorting = ({ column, isDescending }: Sorting): string =>
  `${isDescending ? '-' : ''}${column}`;

function keyOf(row: AreaRow, column: string): number {
  switch (column) {
    case 'classed':
      return classedArea(row);
    case 'nodata':
      return row.no_data_ha;
    case 'outside':
      return row.outside_raster_ha;
    case 'area':
      return row.area_ha;
    default:
      return ofClass(row, Number(column));
  }
}

/** Sorts rows, and keeps the order of equal ones. Names are compared by the rules of the language. */
export function sortRows(
  rows: readonly AreaRow[],
  { column, isDescending }: Sorting,
  language: string,
): readonly AreaRow[] {
  const collator = new Intl.Collator(language, { numeric: true });
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) =>
    column === 'name'
      ? sign * collator.compare(one.name, other.name)
      : sign * (keyOf(one, column) - keyOf(other, column)),
  );
}

/** A share of the classed area. */
export interface Share extends AreaClass {
  readonly share: number;
}

/** The shares of the classes in the classed area of a unit, the largest first. */
export function sharesOf(unit: UnitHectares, classes: readonly AreaClass[]): readonly Share[] {
  const all = classedArea(unit);
  if (all === 0) return [];
  return classes
    .map((each) => ({ ...each, share: ofClass(unit, each.value) / all }))
    .filter(({ share }) => share > 0);
}
