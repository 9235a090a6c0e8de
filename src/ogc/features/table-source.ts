import { sql } from 'kysely';
import type { Database } from '../../database/tables/tables.ts';
import { datesOf, shownObservations } from '../../tables/kato-map/kato-geojson.ts';
import type { YearColumn } from '../../table/mapping-schema.ts';
import { type Interval, parseDay } from '../../standards/times.ts';
import { geometryJson } from '../../geo/flatgeobuf/geometry.ts';
import { propertiesOf } from '../../standards/cql2/filter.ts';
import {
  type Counted,
  createPageTexts,
  type FeatureSource,
  isWanted,
  type Shown,
  shownValues,
} from './source.ts';
import { isUnitIn, type Unit, type Units } from './units.ts';

/** The maximum number of rows that one request with a filter examines. */
const maxLookedAt = 20_000;
const dateColumns: readonly string[] = ['date', 'end_date'];
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
 * Opens the values of a table as features: one for each current unit and date, with an id made of both. For a client that names no time,
 * each unit has one feature with its latest value.
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
      offset = 0,
      most,
    }: {
      readonly starts: readonly string[] | undefined;
      readonly after?: Row | undefined;
      readonly offset?: number;
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
      order by kato_code, start_date limit ${most} offset ${offset}`.execute(db);
    return rows;
  }

  async function countRows(codes: readonly string[], starts: readonly string[] | undefined): Promise<number> {
    const onDates = starts && sql`and o.start_date = any(${[...starts]}::date[])`;
    const shown = shownObservations(
      setId,
      sql<boolean>`o.kato_code = any(${[...codes]}::text[]) ${onDates ?? sql``}`,
    );
    const { rows } = await sql<{ count: number }>`
      select ${starts === undefined ? sql`count(distinct kato_code)` : sql`count(*)`}::integer as count
      from (${shown}) found`.execute(db);
    return rows[0]?.count ?? 0;
  }

  const codesIn = (boxes: Counted['boxes']) =>
    [...units.values()].filter((unit) => isUnitIn(unit, boxes)).map(({ code }) => code);
  /** A filter on dates applies to all dates, not to the latest date of each unit. */
  const startsOf = ({ interval, filter }: Pick<Counted, 'interval' | 'filter'>) => {
    const isByDate = filter !== undefined && propertiesOf(filter).some((name) => dateColumns.includes(name));
    const during = interval ?? (isByDate ? { from: -Infinity, to: Infinity } : undefined);
    return during && dates.filter((each) => isDuring(each, during)).map(({ start_date }) => start_date);
  };
  const matches = (filter: Counted['filter'], row: Row): boolean => {
    const unit = units.get(row.kato_code);
    if (unit === undefined) return false;
    const values: Readonly<Record<string, string | number | null>> = valuesOf(row, unit);
    return isWanted(filter, (name) => values[name]);
  };

  const valuesOf = (row: Row, unit: Unit) => ({
    kato: row.kato_code,
    name: unit.names.name,
    date: row.start_date,
    end_date: endOf.get(row.start_date) ?? null,
    value: row.value,
    value_text: row.value_text,
  });
  const textOf = (row: Row, unit: Unit, { shape, ...shown }: Shown & { readonly shape: string }) => {
    const properties = JSON.stringify(shownValues(valuesOf(row, unit), shown));
    return `{"type":"Feature","id":"${idOf(row)}","geometry":${shape},"properties":${properties}}`;
  };

  return {
    queryables: tableQueryables,
    properties: Object.keys(tableQueryables),
    async count({ boxes, interval, filter }) {
      const [codes, starts] = [codesIn(boxes), startsOf({ interval, filter })];
      if (filter === undefined) return await countRows(codes, starts);
      const rows = await readRows(codes, { starts, most: maxLookedAt });
      return rows.length === maxLookedAt ? undefined : rows.filter((row) => matches(filter, row)).length;
    },
    isToken: (token) => rowOf(token) !== undefined,
    async page({ boxes, interval, filter, limit, offset, token, ...shown }) {
      const codes = codesIn(boxes);
      const starts = startsOf({ interval, filter });
      const most = filter === undefined ? limit + 1 : maxLookedAt;
      const rows = await readRows(codes, {
        starts,
        after: token === undefined ? undefined : rowOf(token),
        offset: filter === undefined ? offset : 0,
        most,
      });
      let left = filter === undefined ? 0 : offset;
      const page = createPageTexts();
      const shapes = new Map<string, string>();
      let before: Row | undefined;
      for (const row of rows) {
        const unit = units.get(row.kato_code);
        if (unit === undefined) continue;
        const isAsked = matches(filter, row);
        if (isAsked && left > 0) left -= 1;
        else if (isAsked) {
          const shape = shapes.get(unit.code) ?? shapeOf(unit, shown);
          shapes.set(unit.code, shape);
          if (page.texts.length === limit || !page.add(textOf(row, unit, { ...shown, shape })))
            return { features: page.texts, next: before && idOf(before) };
        }
        before = row;
      }
      return { features: page.texts, next: rows.length === most && before ? idOf(before) : undefined, left };
    },
    async feature(id, shown) {
      const row = rowOf(id);
      const unit = units.get(row?.kato_code ?? '');
      if (row === undefined || unit === undefined) return undefined;
      const [found] = await readRows([row.kato_code], { starts: [row.start_date], most: 1 });
      return found && textOf(found, unit, { ...shown, shape: shapeOf(unit, shown) });
    },
  };
}

const tableQueryables = {
  kato: 'string',
  name: 'string',
  date: 'date',
  end_date: 'date',
  value: 'number',
  value_text: 'string',
} as const;

const shapeOf = ({ geometry }: Unit, { hasGeometry, positionText }: Shown): string =>
  hasGeometry ? geometryJson(geometry, positionText) : 'null';

const idOf = ({ kato_code: code, start_date: date }: Row): string => `${code}.${date}`;

/** Returns the row with an id; undefined for an invalid id. */
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
