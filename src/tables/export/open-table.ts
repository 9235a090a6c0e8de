import { type RawBuilder, sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { beginSnapshot, raiseLimits } from '../../database/transaction.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import { tableOutProblems } from '../../messages/tables/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { unitName } from '../../messages/languages/unit-name.ts';
import { listUnits } from '../../units/names/current-units.ts';
import { landSinceOf } from '../../units/history/land.ts';
import { readSuccession } from '../../units/history/store.ts';
import { readVersions } from '../../database/districts-version.ts';
import { type Divisor, readDivisor } from '../rates/divisor.ts';
import type { Period } from '../rates/rate.ts';
import type { UnitAreas } from '../rates/unit-areas.ts';
import { parseYearColumns, type YearColumn } from '../../table/mapping-schema.ts';

/** Each may hold a text of 64 KiB. */
const observationsPerFetch = 500;

/** A parsed cell of a table. */
export interface TableCell {
  readonly code: string;
  readonly column: number;
  readonly row: number;
  /** A number, or the text in its place; null for an empty cell. */
  readonly value: number | string | null;
  /** The remark on the value, as `writeRemark` writes it. */
  readonly remark: string | null;
  /** Denominator of the value, for rates. */
  readonly divisor: number | null;
}

/** Kinds of values in a column. */
export interface ColumnContents {
  readonly hasNumbers: boolean;
  readonly hasTexts: boolean;
}

/** A mapped column with its period, and what the mapping says about its values. */
interface MappedColumn extends Period {
  readonly column: string;
  readonly unit: string | null;
  readonly sourceUnit: string | null;
  readonly factor: number | null;
  readonly remarksColumn: string | null;
}

export interface TableFacts {
  readonly id: string;
  readonly name: string;
  readonly filename: string;
  readonly unit: string | null;
  readonly description: string | null;
  readonly createdAt: Date;
  readonly katoColumn: string;
  /** Mapped columns with their periods, in the order of the mapping. */
  readonly columns: readonly MappedColumn[];
  readonly districtsVersion: number;
  /** Undefined unless rates are requested. */
  readonly divisor: Divisor | undefined;
  /** Identifies everything that an answer depends on, except its language and format. */
  readonly version: string;
}

/** A snapshot of a table, which ends on disposal. */
export interface OpenTable extends AsyncDisposable {
  readonly facts: TableFacts;
  /** Returns the names of the administrative units in a language, by code. */
  names(language: Language): Promise<ReadonlyMap<string, string>>;
  /** Returns, by code, the day since which a unit has its present land, if that day lies between the dates of the table. */
  landSince(): Promise<ReadonlyMap<string, string>>;
  /** Returns the borders of the administrative units as GeoJSON geometries, by code. */
  borders(): Promise<ReadonlyMap<string, string>>;
  /** Returns the kinds of values in each mapped column, in the order of the mapping. */
  contents(): Promise<readonly ColumnContents[]>;
  /** Yields all cells in batches: by code and date, or in the order of the rows in the file. */
  cells(order: 'codes' | 'rows'): AsyncGenerator<readonly TableCell[]>;
}

interface OpenTableOptions {
  readonly withRate: boolean;
  /** Only rows with this code; all rows by default. */
  readonly code?: string | undefined;
  readonly unitAreas: (trx: Transaction) => Promise<UnitAreas>;
  /** Cancels running queries. */
  readonly signal: AbortSignal;
}

/**
 * Opens a snapshot of a table by KATO, which later mappings do not change. It holds a connection.
 * @throws {Problem} `not_found`; `invalid` for another type; `conflict` while it is not ready, or if rates are
 * requested but it has no denominator.
 */
export async function openTable(db: Database, id: string, options: OpenTableOptions): Promise<OpenTable> {
  const { withRate, code, unitAreas, signal } = options;
  signal.throwIfAborted();
  const trx = await beginSnapshot(db);
  let cancelling: Promise<unknown> | undefined;
  const cancel = async (pid: number) =>
    await sql`select pg_cancel_backend(${pid})`.execute(db).catch(() => undefined);
  let onAbort: (() => void) | undefined;
  const close = async (): Promise<void> => {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    // A late cancellation might abort another query on this connection.
    await cancelling;
    await trx.rollback().execute();
  };
  try {
    await raiseLimits(trx);
    const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const [{ pid } = { pid: 0 }] = rows;
    onAbort = () => void (cancelling = cancel(pid));
    signal.addEventListener('abort', onAbort, { once: true });
    const { setId, ...all } = await readFacts(trx, id, withRate ? unitAreas : undefined);
    const facts = code === undefined ? all : { ...all, version: JSON.stringify([all.version, code]) };
    const which = await whichCells(trx, setId, code);
    return {
      facts,
      names: async (language) => await readNames(trx, language),
      landSince: async () => landSinceOf(facts.columns, await readSuccession(trx)),
      borders: async () => await readBorders(trx),
      contents: async () => await readContents(trx, facts.columns, which),
      cells: (order) => readCells(trx, { which, order, facts }),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    signal.throwIfAborted();
    throw error;
  }
}

/** Number of cells beyond which writing takes longer than a second. */
const manyCells = 50_000;

/** Returns true if a table, or its part with a code, takes long to write. */
export async function hasManyCells(db: Database, id: string, code?: string): Promise<boolean> {
  const some = db
    .selectFrom('observations as o')
    .innerJoin('datasets as d', 'd.observation_set_id', 'o.set_id')
    .select(sql.lit(1).as('one'))
    .where('d.id', '=', id);
  const asked = code === undefined ? some : some.where('o.kato_code', '=', code);
  return (await asked.offset(manyCells).limit(1).execute()).length > 0;
}

async function readFacts(
  trx: Transaction,
  id: string,
  unitAreas: ((trx: Transaction) => Promise<UnitAreas>) | undefined,
): Promise<TableFacts & { readonly setId: number }> {
  const table = await trx
    .selectFrom('datasets')
    .select(['name', 'filename', 'unit', 'description', 'file_type', 'status', 'created_at'])
    .select(['kato_column', 'year_columns', 'observation_set_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (table === undefined) throw datasetProblems.notFound();
  const { name, filename, unit, description, created_at: createdAt, kato_column: katoColumn } = table;
  const { observation_set_id: setId, status } = table;
  if (table.file_type !== 'vector_with_kato') throw tableOutProblems.noTable();
  if (status !== 'ready' || setId === null || katoColumn === null) throw datasetProblems.noSeriesYet(table);
  const columns = parseYearColumns(table.year_columns).map(mappedColumn);
  const dates = columns.length;
  const divisor = unitAreas && (await readDivisor(trx, { datasetId: id, dates }, unitAreas));
  const { version: districtsVersion, history } = await readVersions(trx);
  const said = { id, name, filename, unit, description, createdAt, katoColumn };
  const units = [districtsVersion, history];
  const version = JSON.stringify([said, setId, table.year_columns, units, divisor?.version ?? null]);
  return { ...said, columns, districtsVersion, divisor, version, setId };
}

const mappedColumn = (mapped: YearColumn): MappedColumn => ({
  column: mapped.column,
  start_date: mapped.start_date,
  end_date: mapped.end_date ?? null,
  unit: mapped.unit ?? null,
  sourceUnit: mapped.source_unit ?? null,
  factor: mapped.factor ?? null,
  remarksColumn: mapped.remarks_column ?? null,
});

async function readNames(trx: Transaction, language: Language): Promise<ReadonlyMap<string, string>> {
  return new Map((await listUnits(trx)).map((unit) => [unit.kato, unitName(unit, language)]));
}

/** Returns the condition for the requested cells. A cursor takes no parameters, so that the code is passed in a setting. */
async function whichCells(
  trx: Transaction,
  setId: number,
  code: string | undefined,
): Promise<RawBuilder<unknown>> {
  const ofSet = sql`o.set_id = ${sql.lit(setId)}`;
  if (code === undefined) return ofSet;
  await sql`select set_config('steppe.code', ${code}, true)`.execute(trx);
  return sql`${ofSet} and o.kato_code = current_setting('steppe.code')`;
}

async function readContents(
  trx: Transaction,
  columns: readonly unknown[],
  which: RawBuilder<unknown>,
): Promise<readonly ColumnContents[]> {
  const { rows } = await sql<ColumnContents & { readonly place: number }>`
    select o.mapping_order as place, count(o.value) > 0 as "hasNumbers", count(o.value_text) > 0 as "hasTexts"
    from observations o where ${which} group by o.mapping_order`.execute(trx);
  const found = new Map(rows.map(({ place, ...contents }) => [place, contents]));
  return columns.map((_, place) => found.get(place) ?? { hasNumbers: false, hasTexts: false });
}

interface CellsAsked {
  readonly which: RawBuilder<unknown>;
  readonly order: 'codes' | 'rows';
  readonly facts: Pick<TableFacts, 'columns' | 'divisor'>;
}

async function readBorders(trx: Transaction): Promise<ReadonlyMap<string, string>> {
  const units = await trx.selectFrom('districts').select(['kato_code', 'geometry']).execute();
  return new Map(units.map(({ kato_code: code, geometry }) => [code, geometry]));
}

interface CellRow {
  readonly code: string;
  readonly column: number;
  readonly row: number;
  readonly value: number | null;
  readonly text: string | null;
  readonly remark: string | null;
  readonly divisor: number | null;
}

const orders: Readonly<Record<CellsAsked['order'], RawBuilder<unknown>>> = {
  // The order of an index, so that the first row arrives at once.
  codes: sql`o.kato_code, o.start_date, o.end_date nulls first, o.id`,
  rows: sql`o.row_number, o.mapping_order`,
};

async function* readCells(
  trx: Transaction,
  { which, order, facts: { columns, divisor } }: CellsAsked,
): AsyncGenerator<readonly TableCell[]> {
  const starts = columns.map((period) => divisor?.usedFor(period)?.start_date ?? 'NULL');
  const start = sql`(${sql.lit(`{${starts.join(',')}}`)}::date[])[o.mapping_order + 1]`;
  await sql`
    declare cells no scroll cursor for
    select o.kato_code as code, o.mapping_order as column, o.row_number as row, o.value, o.value_text as text, o.remark,
      ${divisor === undefined ? sql`null` : sql`divisor.value`} as divisor
    from observations o ${divisor?.joined(start) ?? sql``}
    where ${which}
    order by ${orders[order]}`.execute(trx);
  for (;;) {
    const { rows } = await sql<CellRow>`fetch ${sql.lit(observationsPerFetch)} from cells`.execute(trx);
    if (rows.length === 0) return;
    yield rows.map(({ value, text, ...cell }) => ({ ...cell, value: value ?? text }));
  }
}
