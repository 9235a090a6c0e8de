import { hash } from 'node:crypto';
import type { MadeMapping } from '../datasets/made/made-dataset.ts';
import { detectColumns } from '../table/columns.ts';
import type { YearColumn } from '../table/mapping-schema.ts';
import { maxTableColumns } from '../geo/engine.ts';
import type { ValuesResult } from '../geo/protocol.ts';
import { zonalProblems } from '../messages/zonal.ts';
import { statsByUnit, type UnitStats, type ZonalAsked } from './zonal-answers.ts';
import { toHectares } from '../../common/formats/hectares.ts';

/** The time that the values of a raster are of: a point, or a period with both ends. */
export interface RasterPeriod {
  readonly start: string;
  readonly end: string | null;
}

/** Returns the time of a raster; undefined when it says none. One that only ends is of the day of its end. */
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

/** A table by KATO as a file, and how it is mapped; `digest` tells the two from others. */
export interface ZonalTable {
  readonly content: Buffer;
  readonly mapped: MadeMapping;
  readonly digest: string;
}

const katoColumn = 'kato';
const fixedColumns = [katoColumn, 'level', 'area_ha'] as const;

/**
 * Writes a table of statistics, raster by raster: GeoJSON without geometry, one feature for each unit, a column for each raster and statistic.
 * Its values are those of the first statistic; where too little of a unit has values the cell says so, as `62.1 % < 80 %`.
 * @throws {Problem} from `add` when there are more columns than a table can have.
 */
export function createZonalTable(asked: ZonalAsked) {
  const { stats, minValidShare } = asked;
  const [first] = stats;
  if (first === undefined) throw new Error('a table needs a statistic');
  const shown = [...new Set([...stats, 'valid_share' as const])];
  const columns: string[] = [...fixedColumns];
  const years: YearColumn[] = [];
  /** Cells as JSON texts, by unit, in the order of the columns. */
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
    /** Without any raster there is nothing to map. */
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

/** A share in percent with one decimal, rounded down: what is below a limit does not look like it. */
function percents(share: number): string {
  return String(Math.floor(share * 1000 + 1e-9) / 10);
}

// What reads tables takes rows as they come.
async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
