import { z } from 'zod';
import { type Cell, cellText, plainText } from '../table/cells.ts';
import type { Tables } from '../database/tables/tables.ts';
import { districtProblems, rowFaults } from '../messages/service/english.ts';
import { CalendarDate } from '../validation/fields.ts';

export type DistrictLevel = Tables['districts']['level'];

/** Columns of a file by content. */
export interface DistrictColumns {
  readonly kato: string;
  readonly name: string;
  readonly nameKk?: string | undefined;
  readonly nameEn?: string | undefined;
  /** First day of validity, and the first day after it. */
  readonly validFrom?: string | undefined;
  readonly validTo?: string | undefined;
  /** Level of every unit; by default that of its code. */
  readonly level?: DistrictLevel | undefined;
}

/** A unit in a row of the file; undefined fields have no column. */
export interface DistrictRow {
  readonly kato_code: string;
  readonly level: DistrictLevel;
  readonly name: string;
  readonly name_kk: string | null | undefined;
  readonly name_en: string | null | undefined;
  readonly geometry: string;
  /** Days, `YYYY-MM-DD`; null if the row has none. */
  readonly valid_from: string | null | undefined;
  readonly valid_to: string | null | undefined;
}

/** A fault of a row, without its number. */
export interface RowFault {
  readonly fault: string;
  /** True if the code is missing or malformed. */
  readonly isOfCode: boolean;
}

export type ReadDistrict = (cells: readonly Cell[]) => DistrictRow | RowFault;

const areas: readonly string[] = ['Polygon', 'MultiPolygon'];
const GeometryType = z.object({ type: z.string() }).nullable();
/** Usually nine; a longer text would not fit an index entry. */
const digits = /^\d{1,255}$/;

/**
 * Creates a reader of units from rows that begin with a geometry.
 * @param levelOf returns the level of a code without `--level`
 * @throws {Problem} for a missing column.
 */
export function createDistrictReader(
  columns: readonly string[],
  wanted: DistrictColumns,
  levelOf: (code: string) => DistrictLevel,
): ReadDistrict {
  const place = (option: string, column: string): number => {
    const index = columns.indexOf(column);
    if (index === -1) throw districtProblems.noColumn(option, column, columns);
    return index + 1;
  };
  const kato = place('--kato', wanted.kato);
  const name = place('--name', wanted.name);
  const nameKk = wanted.nameKk === undefined ? undefined : place('--name-kk', wanted.nameKk);
  const nameEn = wanted.nameEn === undefined ? undefined : place('--name-en', wanted.nameEn);
  const validFrom = wanted.validFrom === undefined ? undefined : place('--valid-from', wanted.validFrom);
  const validTo = wanted.validTo === undefined ? undefined : place('--valid-to', wanted.validTo);
  const optionalText = (cells: readonly Cell[], at: number | undefined): string | null | undefined =>
    at === undefined ? undefined : (cellText(cells[at])?.trim() ?? null);

  return (cells) => {
    const [geometry = 'null'] = cells;
    const code = plainText(cells[kato])?.trim();
    if (code === undefined) return { fault: rowFaults.noCode, isOfCode: true };
    if (!digits.test(code)) return { fault: rowFaults.wrongCode(code), isOfCode: true };
    const faulty = (fault: string): RowFault => ({ fault, isOfCode: false });
    const title = cellText(cells[name])?.trim();
    if (title === undefined) return faulty(rowFaults.noName(code));
    const type = GeometryType.parse(JSON.parse(geometry))?.type;
    if (type === undefined) return faulty(rowFaults.noGeometry(code));
    if (!areas.includes(type)) return faulty(rowFaults.notAnArea(code, type));
    const [start, end] = [optionalText(cells, validFrom), optionalText(cells, validTo)];
    const wrongDay = [start, end].find((day) => day && !CalendarDate.safeParse(day).success);
    if (wrongDay) return faulty(rowFaults.wrongDay(code, wrongDay));
    if (start && end && start >= end) return faulty(rowFaults.endsFirst(code, start, end));
    return {
      kato_code: code,
      level: wanted.level ?? levelOf(code),
      name: title,
      name_kk: optionalText(cells, nameKk),
      name_en: optionalText(cells, nameEn),
      geometry,
      valid_from: start,
      valid_to: end,
    };
  };
}
