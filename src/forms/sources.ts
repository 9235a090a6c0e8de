import { sql } from 'kysely';
import { republicCode } from '../../common/maps/units/levels.ts';
import { zoningCodes, zoneOfCode } from '../../common/landscape/zoning.ts';
import { areasOf, valuesOf } from '../areas/area-counts.ts';
import { classLandOf, landByUnit, readUnits } from '../areas/by-unit.ts';
import { cogOf } from '../areas/routes.ts';
import type { Unit } from '../areas/areas-schema.ts';
import type { Database } from '../database/tables/tables.ts';
import { getDataset } from '../datasets/queries.ts';
import type { PendingResult } from '../jobs/results.ts';
import { runCaseOf } from '../landscape/balance/case-query.ts';
import { balanceOf } from '../landscape/balance/balance.ts';
import type { ZonedRuns } from '../landscape/balance/zoned-runs.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { Message } from '../lib/message.ts';
import { formWords, templateProblems } from '../messages/forms/english.ts';
import { zonalProblems } from '../messages/areas/english.ts';
import { parseYearColumns } from '../table/mapping-schema.ts';
import { datesOf, shownObservations } from '../tables/kato-map/kato-geojson.ts';
import { refuseSenseless, statsByUnit } from '../zonal/zonal-answers.ts';
import type { FormSource } from './form-schema.ts';

export interface SourceDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly zonedRuns: ZonedRuns;
}

/** Values of units: a number, a text in its place, or null where the source has the unit but no value. */
export type UnitValues = ReadonlyMap<string, number | string | null>;

/** A source whose figures are ready to be read. */
export interface ReadySource {
  readonly isPending: false;
  /** Everything that the values depend on. */
  readonly version: readonly unknown[];
  /** The source in words. */
  readonly text: Message;
  /** @param codes of the wanted units */
  read(codes: readonly string[]): Promise<UnitValues>;
}

/**
 * Returns a source of values by unit, or has it counted.
 * @throws {Problem} for a source that does not exist, is not ready, or has no such values
 */
export async function openSource(
  dependencies: SourceDependencies,
  source: FormSource,
): Promise<ReadySource | PendingResult> {
  switch (source.kind) {
    case 'table':
      return await openTableSource(dependencies, source);
    case 'areas':
      return await openAreasSource(dependencies, source);
    case 'zonal':
      return await openZonalSource(dependencies, source);
    default:
      return await openBalanceSource(dependencies, source);
  }
}

type Of<Kind extends FormSource['kind']> = Extract<FormSource, { kind: Kind }>;

async function openTableSource(
  { db }: SourceDependencies,
  { dataset_id: id, start_date: asked }: Of<'table'>,
): Promise<ReadySource> {
  const { name, file_type: type, status, observation_set_id: setId, year_columns } = await getDataset(db, id);
  if (type !== 'vector_with_kato') throw templateProblems.notATable(name);
  if (status !== 'ready' || setId === null) throw templateProblems.tableNotReady(name, status);
  const dates = datesOf(parseYearColumns(year_columns));
  const found = asked === undefined ? dates.at(-1) : dates.find(({ start_date: start }) => start === asked);
  if (found === undefined) throw templateProblems.noSuchDate(name, asked ?? '');
  const { start_date: start, end_date: end } = found;
  return {
    isPending: false,
    version: ['table', id, name, setId, start],
    text: formWords.tableSource(name, end === null ? start : `${start} – ${end}`),
    async read(codes) {
      const wanted = sql<boolean>`o.start_date = ${start}::date and o.kato_code = any(${codes})`;
      const { rows } = await sql<{ kato_code: string; value: number | null; value_text: string | null }>`
        select kato_code, value, value_text from (${shownObservations(setId, wanted)}) shown`.execute(db);
      return new Map(rows.map(({ kato_code: code, value, value_text: text }) => [code, value ?? text]));
    },
  };
}

async function openAreasSource(
  dependencies: SourceDependencies,
  { dataset_id: id, of, classes }: Of<'areas'>,
): Promise<ReadySource | PendingResult> {
  const { db } = dependencies;
  const dataset = await getDataset(db, id);
  const counted = await areasOf(dependencies, { cogs: [cogOf(dataset)] });
  if (counted.isPending) return counted;
  return {
    isPending: false,
    version: ['areas', counted.key, dataset.name, of, classes ?? null],
    text: formWords.areasSource(dataset.name),
    async read() {
      const figures = await counted.read();
      const only = classes === undefined ? undefined : new Set(classes);
      const land = landByUnit(figures, { by: 'all', names: await readUnits(db) }, classLandOf(figures, only));
      const valueOf = (row: (typeof land.units)[number]): number => {
        switch (of) {
          case 'area':
            return row.area_ha;
          case 'no_data':
            return row.no_data_ha;
          case 'outside_raster':
            return row.outside_raster_ha;
          default:
            return sumOf(Object.values(row.classes));
        }
      };
      return withCountry(land.units, ({ unit }) => unit, { level: land.level, valueOf });
    },
  };
}

async function openZonalSource(
  dependencies: SourceDependencies,
  { dataset_id: id, stat, values_are: valuesAre, min_valid_share: minValidShare }: Of<'zonal'>,
): Promise<ReadySource | PendingResult> {
  refuseSenseless({ stats: [stat], valuesAre });
  const dataset = await getDataset(dependencies.db, id);
  const counted = await valuesOf(dependencies, cogOf(dataset, zonalProblems));
  if (counted.isPending) return counted;
  return {
    isPending: false,
    version: ['zonal', counted.key, dataset.name, stat, valuesAre, minValidShare],
    text: formWords.zonalSource(dataset.name, stat),
    async read() {
      const rows = statsByUnit(await counted.read(), { by: 'all', stats: [stat], minValidShare, valuesAre });
      return new Map(rows.map(({ kato, values }) => [kato, values.get(stat) ?? null]));
    },
  };
}

async function openBalanceSource(
  { zonedRuns }: SourceDependencies,
  { run_id: id, of, codes }: Of<'balance'>,
): Promise<ReadySource | PendingResult> {
  const land = await zonedRuns.land(id, 'all');
  if (land.isPending) return land;
  const { run, key } = land;
  return {
    isPending: false,
    version: ['balance', id, key, of, codes ?? null],
    text: formWords.balanceSource(id),
    async read() {
      const table = await land.read();
      const runCase = runCaseOf(run.params);
      const balance = balanceOf(table, { runId: run.id, runCase, zoning: runCase, language: 'en' });
      const wanted = (code: number): boolean =>
        of === 'codes' ? (codes?.includes(code) ?? true) : `V${zoneOfCode(code)}` === of;
      const valueOf = (row: (typeof balance.units)[number]): number => {
        switch (of) {
          case 'area':
            return row.area_ha;
          case 'not_allocable':
            return row.not_allocable_ha;
          case 'no_data':
            return row.no_data_ha;
          case 'outside_raster':
            return row.outside_raster_ha;
          default:
            return sumOf(row.functional.filter((_, place) => wanted(zoningCodes[place] ?? 0)));
        }
      };
      return withCountry(balance.units, (row) => row, { level: table.level, valueOf });
    },
  };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Adds the whole country, the sum of the units of one level, where it has no border of its own. */
function withCountry<Row>(
  rows: readonly Row[],
  unitOf: (row: Row) => Pick<Unit, 'kato' | 'level'>,
  { level, valueOf }: { readonly level: Unit['level']; readonly valueOf: (row: Row) => number },
): UnitValues {
  const values = new Map<string, number>();
  let total = 0;
  for (const row of rows) {
    const { kato, level: own } = unitOf(row);
    const value = valueOf(row);
    values.set(kato, value);
    if (own === level) total += value;
  }
  if (!values.has(republicCode) && rows.length > 0) values.set(republicCode, total);
  return values;
}
