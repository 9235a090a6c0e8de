import { hash } from 'node:crypto';
import type { MadeMapping } from '../datasets/made/made-dataset.ts';
import { detectColumns } from '../table/columns.ts';
import type { YearColumn } from '../table/mapping-schema.ts';
import { maxTableColumns } from '../geo/engine.ts';
import type { ValuesResult } from '../geo/protocol.ts';
import { zonalProblems } from '../messages/areas/english.ts';
import { statsByUnit, type UnitStats, type ZonalAsked } from './zonal-answers.ts';
import { toHectares } from '../../common/formats/hectares.ts';

/** The time to which the values of a raster refer: a point, or a period including both ends. */
export interface RasterPeriod {
  readonly start: string;
  readonly end: string | null;
}

/** Returns the time of a raster; undefined without dates. A raster with only an end date refers to that day. */
export function periodOf(raster: {
  readonly start_date: string | null;
  readonly end_date: string | null;
}): RasterPeriod | undefined {
  const { start_date: start, end_date: end } = raster;
  if (start !== null) return { start, end };
  return end === null ? undefined : { start: end, end: null };
}

export function periodName({ start, end }: RasterPeriod): string {
  return end === null ? start : `${start}/${end}`;
}

/** A table by KATO as a file with its mapping; `digest` identifies the two. */
export interface ZonalTable {
  readonly content: Buffer;
  readonly mapped: MadeMapping;
  readonly digest: string;
}

const katoColumn = 'kato';
const fixedColumns = [katoColumn, 'level', 'area_ha'] as const;

/**
 * Writes a table of statistics, raster by raster: GeoJSON without geometry, with one feature per unit and one column per raster and
 * statistic. The values of the table are those of the first statistic. If too small a share of a unit has values, the cell contains a
 * text such as `62.1 % < 80 %`.
 * @throws {Problem} from `add` when there are more columns than a table can have.
 */
export function createZonalTable(asked: ZonalAsked) {
  const { stats, minValidShare } = asked;
  const [first] = stats;
  if (first === undefined) throw new Error('a table needs a statistic');
  const shown = [...new Set([...stats, 'valid_share' as const])];
  const columns: string[] = [...fixedColumns];
  const years: YearColumn[] = [];
  /** Cells as JSON texts, by unit, in column order. */
  const rows = new Map<string, string[]>();

  function cellOf(unit: UnitStats, stat: (typeof shown)[number]): string {
    if (unit.reason === 'below_min_valid_share' && stat !== 'valid_share')
      return JSON.stringify(`${percents(unit.validShare)} % < ${percents(minValidShare)} %`);
    return JSON.stringify(stat === 'valid_share' ? unit.validShare : (unit.values.get(stat) ?? null));
  }

  return {
    add(period: RasterPeriod, figures: ValuesResult): void {
      const name = periodName(period);
      columns.push(...shown.map((stat) => `${stat} ${name}`));
      if (columns.length > maxTableColumns)
        throw zonalProblems.tooManyColumns(columns.length, maxTableColumns);
      years.push({ column: `${first} ${name}`, start_date: period.start, end_date: period.end });
      for (const unit of statsByUnit(figures, asked)) {
        const { kato, level, area } = unit;
        const row = rows.get(kato) ?? [kato, level, toHectares(area)].map((cell) => JSON.stringify(cell));
        rows.set(kato, row);
        row.push(...shown.map((stat) => cellOf(unit, stat)));
      }
    },
    /** Finishes the table; at least one raster must have been added. */
    async finish(): Promise<ZonalTable> {
      const units = [...rows.values()];
      const features = units.map((cells) => {
        const properties = columns.map((column, i) => `${JSON.stringify(column)}:${cells[i] ?? 'null'}`);
        return `{"type":"Feature","geometry":null,"properties":{${properties.join(',')}}}`;
      });
      const content = Buffer.from(`{"type":"FeatureCollection","features":[\n${features.join(',\n')}\n]}\n`);
      const detected = await detectColumns(columns, eachOf(units));
      const mapping = { kato_column: katoColumn, year_columns: years };
      const mapped = { ...detected, mapping };
      return {
        content,
        mapped,
        digest: hash('sha256', Buffer.concat([content, Buffer.from(JSON.stringify(mapping))])),
      };
    },
  };
}

/** A share in percent with one decimal, rounded down, so that a value below a limit never appears to reach it. */
function percents(share: number): string {
  return String(Math.floor(share * 1000 + 1e-9) / 10);
}

// Readers of tables expect rows as an asynchronous sequence.
async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
