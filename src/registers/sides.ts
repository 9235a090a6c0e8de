import { sql } from 'kysely';
import { areasOf, type AreaFigures } from '../areas/area-counts.ts';
import { type ClassLand, classLandOf, landByUnit, levelOf, type UnitLand } from '../areas/by-unit.ts';
import type { Unit } from '../areas/areas-schema.ts';
import { classWords } from '../areas/class-words.ts';
import { cogOf } from '../areas/routes.ts';
import type { UnitLevel } from '../../common/maps/units/levels.ts';
import type { Database, Transaction } from '../database/tables/tables.ts';
import { inSnapshot, raiseLimits } from '../database/transaction.ts';
import { found } from '../datasets/queries.ts';
import type { RecentDatasets } from '../datasets/recent-datasets.ts';
import type { PendingResult } from '../jobs/results.ts';
import type { Legends } from '../maps/service/legends.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { datasetProblems } from '../messages/datasets/english.ts';
import type { Language } from '../messages/languages/translate.ts';
import { registerProblems } from '../messages/registers/english.ts';
import { fileProblems } from '../messages/request/english.ts';
import { parseYearColumns } from '../table/mapping-schema.ts';
import { datesOf, shownObservations } from '../tables/kato-map/kato-geojson.ts';
import { readSeriesHistory } from '../tables/kato-map/series-history.ts';
import { dayOf } from '../units/history/land.ts';
import type { Side, SideName } from './schema.ts';

export interface RegisterDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly recentDatasets: RecentDatasets;
  readonly legends: Legends;
}

/** One of the two registers, as a client requests it. */
export interface SideOrder {
  readonly side: SideName;
  readonly datasetId: string;
  /** First day of the column of a table; undefined for the last one. */
  readonly date: string | undefined;
  /** Values of the classes of a raster; undefined for all. */
  readonly classes: readonly number[] | undefined;
  readonly factor: number | undefined;
}

/** The value of a unit in a table. */
export interface TableValue {
  readonly value: number | null;
  /** The text in place of a number; empty for an empty cell. */
  readonly text: string;
  /** The former code under which the table lists the unit. */
  readonly from?: { readonly code: string; readonly until: string };
}

/** The land of a unit in a raster, hectares. */
export interface RasterValue {
  /** In the chosen classes; null if the raster says nothing about the unit. */
  readonly value: number | null;
  readonly notChosen: number;
  readonly noData: number;
  readonly outside: number;
}

export interface TableValues {
  readonly kind: 'table';
  readonly byCode: ReadonlyMap<string, TableValue>;
}

export interface RasterValues {
  readonly kind: 'raster';
  readonly levels: ReadonlySet<UnitLevel>;
  /** @returns the land of the units of a level by code, and the chosen land in none of them */
  at(level: UnitLevel): { readonly byCode: ReadonlyMap<string, RasterValue>; readonly outsideUnits: number };
}

export interface PreparedSide {
  readonly isPending: false;
  readonly facts: Side;
  /** Equal parts have equal values. */
  readonly parts: readonly (string | number | null)[];
  /** @throws {Problem} `file.gone` if the table has been replaced since. */
  read(names: ReadonlyMap<string, Unit>): Promise<TableValues | RasterValues>;
}

/**
 * Finds a register, and has the land of a raster counted.
 * @throws {Problem} `not_found`; `conflict` before it is ready; `invalid` for a dataset without values by unit, a date, or a class that it does not have
 */
export async function prepareSide(
  parts: RegisterDependencies,
  order: SideOrder,
  language: Language,
): Promise<PreparedSide | PendingResult> {
  const { file_type: type, name } = await parts.recentDatasets.read(order.datasetId);
  if (type === 'vector') throw registerProblems.noValues(name);
  return type === 'raster'
    ? await prepareRaster(parts, order, language)
    : await prepareTable(parts.db, order);
}

async function prepareTable(
  db: Database,
  { side, datasetId, date, classes, factor: given }: SideOrder,
): Promise<PreparedSide> {
  const factor = given ?? null;
  const table = found(
    await db
      .selectFrom('datasets')
      .select(['name', 'unit', 'status', 'kato_column', 'observation_set_id', 'year_columns'])
      .where('id', '=', datasetId)
      .executeTakeFirst(),
  );
  const { name, status, observation_set_id: setId, year_columns: columns } = table;
  if (classes !== undefined) throw registerProblems.onlyRasters(`${side}_class`, name);
  if (status !== 'ready' || setId === null) throw datasetProblems.noSeriesYet(table);
  const dates = datesOf(parseYearColumns(columns));
  const place = date === undefined ? dates.length - 1 : dates.findIndex((each) => each.start_date === date);
  const period = dates[place];
  if (period === undefined)
    throw registerProblems.noSuchDate(
      name,
      date ?? '',
      dates.map((each) => each.start_date),
    );
  const unit = table.unit === '' ? null : table.unit;
  return {
    isPending: false,
    facts: { dataset_id: datasetId, name, kind: 'table', period, unit, factor, classes: null },
    parts: [datasetId, name, unit, setId, columns, period.start_date, factor],
    read: async () =>
      await inSnapshot(db, async (trx) => {
        await raiseLimits(trx);
        const current = await trx
          .selectFrom('datasets')
          .select('observation_set_id')
          .where('id', '=', datasetId)
          .executeTakeFirst();
        // The observations of a replaced set are deleted.
        if (current?.observation_set_id !== setId) throw fileProblems.gone();
        return { kind: 'table', byCode: await readTable(trx, { name, setId, dates, place }) };
      }),
  };
}

/** Limit of the codes of a table; the classifier has 15,594 units. */
const mostCodes = 30_000;

interface ReadyTable {
  readonly name: string;
  readonly setId: number;
  readonly dates: readonly { readonly start_date: string; readonly end_date: string | null }[];
  /** The position of the compared date in `dates`. */
  readonly place: number;
}

/** Reads the values of a date as maps show them: those under former codes of the same land belong to the current unit. */
async function readTable(
  trx: Transaction,
  { name, setId, dates, place }: ReadyTable,
): Promise<ReadonlyMap<string, TableValue>> {
  const period = dates[place];
  if (period === undefined) throw new Error('a table has no such date');
  const wanted = sql<boolean>`o.start_date = ${period.start_date}::date`;
  const { rows } = await sql<{
    readonly kato_code: string;
    readonly value: number | null;
    readonly value_text: string | null;
  }>`select kato_code, value, left(value_text, 200) as value_text
    from (${shownObservations(setId, wanted)}) shown limit ${sql.lit(mostCodes + 1)}`.execute(trx);
  if (rows.length > mostCodes) throw registerProblems.tooManyCodes(name, mostCodes);
  const byCode = new Map<string, TableValue>(
    rows.map(({ kato_code: code, value, value_text: text }) => [code, { value, text: text ?? '' }]),
  );
  const day = dayOf(period);
  const history = await readSeriesHistory(trx, setId, dates);
  const carried = (history?.units ?? []).flatMap(({ kato_code: code, values, from }) => {
    const own = from.find(({ until }) => day < until);
    const value = values[place] ?? null;
    return own === undefined ? [] : [{ code, value, from: { code: own.kato_code, until: own.until } }];
  });
  for (const { from } of carried) byCode.delete(from.code);
  for (const { code, value, from } of carried)
    byCode.set(code, {
      value: typeof value === 'number' ? value : null,
      text: typeof value === 'string' ? value : '',
      from,
    });
  return byCode;
}

async function prepareRaster(
  parts: RegisterDependencies,
  { side, datasetId, date, classes, factor }: SideOrder,
  language: Language,
): Promise<PreparedSide | PendingResult> {
  const dataset = await parts.recentDatasets.read(datasetId);
  const { name } = dataset;
  if (date !== undefined) throw registerProblems.onlyTables(`${side}_date`, name);
  if (factor !== undefined) throw registerProblems.onlyTables(`${side}_factor`, name);
  const counted = await areasOf(parts, { cogs: [cogOf(dataset)] });
  if (counted.isPending) return counted;
  const row = found(
    await parts.db
      .selectFrom('datasets')
      .select(['start_date', 'end_date'])
      .where('id', '=', datasetId)
      .executeTakeFirst(),
  );
  const words = await classWords(parts, datasetId, language);
  const figures = await counted.read();
  const values = figures.tuples.flatMap(([value = null]) => (value === null ? [] : [value]));
  const unknown = classes?.find((value) => !values.includes(value));
  if (unknown !== undefined) throw registerProblems.noSuchClass(name, unknown, values.map(String));
  const chosen = new Set(classes ?? values);
  const start = row.start_date ?? row.end_date;
  const period = start === null ? null : { start_date: start, end_date: row.end_date };
  return {
    isPending: false,
    facts: {
      dataset_id: datasetId,
      name,
      kind: 'raster',
      period,
      unit: 'ha',
      factor: null,
      classes: values.map((value) => {
        const [, title = null, color = null] = words.find(([known]) => known === value) ?? [];
        return { value, title, color, is_chosen: chosen.has(value) };
      }),
    },
    parts: [datasetId, name, counted.key, JSON.stringify([words, period, [...chosen]])],
    read: async (names) => rasterValues(figures, chosen, names),
  };
}

function rasterValues(
  figures: AreaFigures,
  chosen: ReadonlySet<number>,
  names: ReadonlyMap<string, Unit>,
): RasterValues {
  const known = new Map<UnitLevel, ReturnType<RasterValues['at']>>();
  return {
    kind: 'raster',
    levels: new Set(figures.sets.map(({ set }) => levelOf(set))),
    at(level) {
      const before = known.get(level);
      if (before !== undefined) return before;
      const land = landByUnit(figures, { by: level, names }, classLandOf(figures));
      const byCode = new Map(land.units.map(({ unit, ...own }) => [unit.kato, rasterValue(own, chosen)]));
      const made = { byCode, outsideUnits: sumOf(land.outside, (value) => chosen.has(value)) };
      known.set(level, made);
      return made;
    },
  };
}

function rasterValue(land: UnitLand<ClassLand>, chosen: ReadonlySet<number>): RasterValue {
  const value = sumOf(land, (each) => chosen.has(each));
  const notChosen = sumOf(land, (each) => !chosen.has(each));
  // Where the raster has no class at all it says nothing: that is not 0 hectares.
  return {
    value: value + notChosen > 0 ? value : null,
    notChosen,
    noData: land.no_data_ha,
    outside: land.outside_raster_ha,
  };
}

function sumOf({ classes }: ClassLand, isWanted: (value: number) => boolean): number {
  return Object.entries(classes).reduce((sum, [value, ha]) => (isWanted(Number(value)) ? sum + ha : sum), 0);
}
