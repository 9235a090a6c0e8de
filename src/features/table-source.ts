import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { datesOf, shownObservations } from '../datasets/kato-map/kato-geojson.ts';
import type { YearColumn } from '../datasets/table/mapping-schema.ts';
import { type Interval, parseDay } from '../standards/times.ts';
import { geometryJson } from './flatgeobuf/geometry.ts';
import { createPageTexts, type FeatureSource, isWanted } from './source.ts';
import { isUnitIn, type Unit, type Units } from './units.ts';

/** Rows that one request with a filter looks at. */
const maxLookedAt = 20_000;
const idForm = /^(\d{1,20})\.(\d{4}-\d\d-\d\d)$/;

interface Row {
  readonly kato_code: string;
  readonly start_date: string;
  readonly value: number | null;
  readonly value_text: string | null;
}

/** The values of a table by KATO. */
export interface TableOfUnits {
  readonly setId: number;
  readonly yearColumns: readonly YearColumn[];
}

/**
 * Opens the values of a table as features: one of each unit of today and each date, whose id are both. Of a client that names no time
 * each unit has one feature, that of its latest value.
 */
export function openTableSource(
  db: Database,
  units: Units,
  { setId, yearColumns }: TableOfUnits,
): FeatureSource {
  const dates = datesOf(yearColumns);
  const endOf = new Map(dates.map(({ start_date: start, end_date: end }) => [start, end]));

  async function readRows(
    codes: readonly string[],
    {
      starts,
      after,
      most,
    }: {
      readonly starts: readonly string[] | undefined;
      readonly after?: Row | undefined;
      readonly most: number;
    },
  ): Promise<readonly Row[]> {
    const isLater =
      after && sql`and (o.kato_code, o.start_date) > (${after.kato_code}, ${after.start_date}::date)`;
    const onDates = starts && sql`and o.start_date = any(${[...starts]}::date[])`;
    const shown = shownObservations(
      setId,
      sql<boolean>`o.kato_code = any(${[...codes]}::text[]) ${onDates ?? sql``} ${(starts && isLater) ?? sql``}`,
    );
    const latest = sql`select distinct on (kato_code) * from (${shown}) each
      order by kato_code, (value is null and value_text is null), start_date desc`;
    const { rows } = await sql<Row>`select kato_code, start_date, value, value_text
      from (${starts === undefined ? latest : shown}) found
      ${starts === undefined && after ? sql`where kato_code > ${after.kato_code}` : sql``}
      order by kato_code, start_date limit ${most}`.execute(db);
    return rows;
  }

  const valuesOf = (row: Row, unit: Unit) => ({
    kato: row.kato_code,
    name: unit.names.name,
    date: row.start_date,
    end_date: endOf.get(row.start_date) ?? null,
    value: row.value,
    value_text: row.value_text,
  });
  const textOf = (row: Row, unit: Unit, shape: string) => {
    const properties = JSON.stringify(valuesOf(row, unit));
    return `{"type":"Feature","id":"${idOf(row)}","geometry":${shape},"properties":${properties}}`;
  };

  return {
    queryables: {
      kato: 'string',
      name: 'string',
      date: 'string',
      end_date: 'string',
      value: 'number',
      value_text: 'string',
    },
    count: undefined,
    isToken: (token) => rowOf(token) !== undefined,
    async page({ boxes, interval, filter, limit, token, positionText }) {
      const codes = [...units.values()].filter((unit) => isUnitIn(unit, boxes)).map(({ code }) => code);
      const starts =
        interval && dates.filter((each) => isDuring(each, interval)).map(({ start_date }) => start_date);
      const most = filter === undefined ? limit + 1 : maxLookedAt;
      const rows = await readRows(codes, {
        starts,
        after: token === undefined ? undefined : rowOf(token),
        most,
      });
      const page = createPageTexts();
      const shapes = new Map<string, string>();
      let before: Row | undefined;
      for (const row of rows) {
        const unit = units.get(row.kato_code);
        if (unit === undefined) continue;
        const values: Readonly<Record<string, string | number | null>> = valuesOf(row, unit);
        if (isWanted(filter, (name) => values[name])) {
          const shape = shapes.get(unit.code) ?? geometryJson(unit.geometry, positionText);
          shapes.set(unit.code, shape);
          if (page.texts.length === limit || !page.add(textOf(row, unit, shape)))
            return { features: page.texts, next: before && idOf(before) };
        }
        before = row;
      }
      return { features: page.texts, next: rows.length === most && before ? idOf(before) : undefined };
    },
    async feature(id, positionText) {
      const row = rowOf(id);
      const unit = units.get(row?.kato_code ?? '');
      if (row === undefined || unit === undefined) return undefined;
      const [found] = await readRows([row.kato_code], { starts: [row.start_date], most: 1 });
      return found && textOf(found, unit, geometryJson(unit.geometry, positionText));
    },
  };
}

const idOf = ({ kato_code: code, start_date: date }: Row): string => `${code}.${date}`;

/** Returns the row that an id names; undefined for what is none. */
function rowOf(id: string): Row | undefined {
  const [, kato_code, start_date] = idForm.exec(id) ?? [];
  if (kato_code === undefined || start_date === undefined || parseDay(start_date) === undefined)
    return undefined;
  return { kato_code, start_date, value: null, value_text: null };
}

function isDuring(
  { start_date: start, end_date: end }: { readonly start_date: string; readonly end_date: string | null },
  { from, to }: Interval,
): boolean {
  const [first, last] = [parseDay(start), parseDay(end ?? start)];
  return first !== undefined && last !== undefined && first.from <= to && last.to >= from;
}
