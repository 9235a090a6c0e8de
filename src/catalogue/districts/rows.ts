import { z } from 'zod';
import { type Cell, cellText, katoCode } from '../../datasets/table/cells.ts';
import type { DistrictsTable } from '../../database/tables.ts';
import { Problem } from '../../common/errors.ts';
import { quoted } from '../../common/readable.ts';

export type DistrictLevel = DistrictsTable['level'];

/** Which columns of a file hold what. */
export interface DistrictColumns {
  readonly kato: string;
  readonly name: string;
  readonly nameKk?: string | undefined;
  readonly nameEn?: string | undefined;
  /** Of every unit; without it the code tells. */
  readonly level?: DistrictLevel | undefined;
}

/** A unit as a row of the file has it; what is undefined the file does not speak of. */
export interface DistrictRow {
  readonly kato_code: string;
  readonly level: DistrictLevel;
  readonly name: string;
  readonly name_kk: string | null | undefined;
  readonly name_en: string | null | undefined;
  readonly geometry: string;
}

/** What is wrong with a row, to stand after its number. */
export interface RowFault {
  readonly fault: string;
  /** It has no code, or something else in its place. */
  readonly isOfCode: boolean;
}

export type ReadDistrict = (cells: readonly Cell[]) => DistrictRow | RowFault;

const areas: readonly string[] = ['Polygon', 'MultiPolygon'];
const GeometryType = z.object({ type: z.string() }).nullable();
/** Nine of them as a rule; what is longer would not fit an index entry. */
const digits = /^\d{1,255}$/;
/** Where the first two of nine digits say it all, the unit is of the first level. */
const regionCode = /^\d{2}0{7}$/;

/**
 * How the rows of a table of features, each beginning with its geometry, read as units.
 * @throws {Problem} that names the columns there are when one is missing.
 */
export function createDistrictReader(columns: readonly string[], wanted: DistrictColumns): ReadDistrict {
  const place = (option: string, column: string): number => {
    const index = columns.indexOf(column);
    if (index === -1) {
      const there = columns.length === 0 ? 'it has none' : `it has ${columns.join(', ')}`;
      throw new Problem('invalid', `${option}: the file has no column "${column}"; ${there}.`);
    }
    return index + 1;
  };
  const kato = place('--kato', wanted.kato);
  const name = place('--name', wanted.name);
  const nameKk = wanted.nameKk === undefined ? undefined : place('--name-kk', wanted.nameKk);
  const nameEn = wanted.nameEn === undefined ? undefined : place('--name-en', wanted.nameEn);
  const optionalText = (cells: readonly Cell[], at: number | undefined): string | null | undefined =>
    at === undefined ? undefined : (cellText(cells[at])?.trim() ?? null);

  return (cells) => {
    const [geometry = 'null'] = cells;
    const code = katoCode(cells[kato]);
    if (code === undefined) return { fault: 'has no code', isOfCode: true };
    if (!digits.test(code)) {
      return { fault: `has ${quoted(code)} where a code of digits belongs`, isOfCode: true };
    }
    const faulty = (what: string): RowFault => ({ fault: `(${code}) ${what}`, isOfCode: false });
    const title = cellText(cells[name])?.trim();
    if (title === undefined) return faulty('has no name');
    const type = GeometryType.parse(JSON.parse(geometry))?.type;
    if (type === undefined) return faulty('has no geometry');
    if (!areas.includes(type)) return faulty(`is no area but a ${type}`);
    return {
      kato_code: code,
      level: wanted.level ?? (regionCode.test(code) ? 'region' : 'district'),
      name: title,
      name_kk: optionalText(cells, nameKk),
      name_en: optionalText(cells, nameEn),
      geometry,
    };
  };
}
