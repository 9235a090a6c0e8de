import { hash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';
import { storedMessage } from '../geo/findings.ts';
import { AreasResult, ValuesResult } from '../geo/protocol.ts';
import { enqueueMissingJob } from '../jobs/enqueue.ts';
import { hasJob, isUseOld, mayRetry, type PendingResult } from '../jobs/results.ts';
import { Problem } from '../lib/errors.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { areaProblems } from '../messages/hectares.ts';
import type { AreaLevels } from './areas-schema.ts';

/** A rise has everything counted again: how it is measured is a part of the key. */
const methodVersions = { classes: 1, values: 1 } as const;
/** What a raster of classes may have, as `classes` of its statistics. */
export const usualClasses = 256;
/** Counts of clients' own polygons that may wait at once. */
const mostWaiting = 32;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

/** Areas that are counted; `read` fetches the figures, square metres. */
export interface CountedAreas<Figures = AreaFigures> {
  readonly isPending: false;
  /** Equal keys have equal figures. */
  readonly key: string;
  readonly countedAt: Date;
  read(): Promise<Figures>;
}

/** What was counted: see `AreaCounts` of the geo engine. With `by`, only its sets are left. */
export type AreaFigures = AreasResult;

export interface AreasRequest {
  /** The keys of the objects of one COG, or of several that share a grid: the tuples are of their values. */
  readonly cogs: readonly string[];
  readonly by: AreaLevels;
  /** Different values that each raster may have; 256 by default. */
  readonly maxClasses?: number;
}

/**
 * Returns the areas of the administrative units over COGs, or has them counted. All levels are counted at once, so that another `by`
 * costs nothing. Any number of processes may ask at once. The units have the KATO code as `id`, and their level as `set`.
 * @throws {Problem} when they could not be counted.
 */
export async function areasOf(
  dependencies: Dependencies,
  { cogs, by, maxClasses = usualClasses }: AreasRequest,
): Promise<(CountedAreas & { readonly districtsVersion: number }) | PendingResult> {
  const districtsVersion = await readDistrictsVersion(dependencies.db);
  const units = `districts ${districtsVersion}`;
  const found = await countsOf(dependencies, { of: 'classes', cogs, units, maxClasses, districtsVersion });
  if (found.isPending) return found;
  const read = async () => onlySets(AreasResult.parse(await found.read()), by);
  return { ...found, districtsVersion, read };
}

/**
 * Returns the statistics of the values of a COG in the administrative units of all levels, or has them counted, as `areasOf`.
 * @throws {Problem} when they could not be counted.
 */
export async function valuesOf(
  dependencies: Dependencies,
  cog: string,
): Promise<(CountedAreas<ValuesResult> & { readonly districtsVersion: number }) | PendingResult> {
  const districtsVersion = await readDistrictsVersion(dependencies.db);
  const found = await countsOf(dependencies, { ...valuesWanted([cog], districtsVersion), districtsVersion });
  if (found.isPending) return found;
  return { ...found, districtsVersion, read: async () => ValuesResult.parse(await found.read()) };
}

/** Returns what names the statistics of each COG, by its key: `area_counts.key`. */
export async function valueKeysOf(
  db: Database,
  cogs: readonly string[],
  districtsVersion: number,
): Promise<ReadonlyMap<string, string>> {
  const digests = await digestsOf(db, cogs);
  return new Map(cogs.map((cog) => [cog, keyOf(digests, valuesWanted([cog], districtsVersion))]));
}

function valuesWanted(cogs: readonly string[], districtsVersion: number) {
  return { of: 'values', cogs, units: `districts ${districtsVersion}`, maxClasses: usualClasses } as const;
}

/**
 * Returns the areas of a client's own polygons over a COG, or has them counted.
 * @param polygons lines of `AreaUnit`.
 * @throws {Problem} when they could not be counted, or when too many wait.
 */
export async function ownAreasOf(
  dependencies: Dependencies,
  { cog, polygons }: { readonly cog: string; readonly polygons: string },
): Promise<CountedAreas | PendingResult> {
  const units = `polygons ${hash('sha256', polygons, 'hex')}`;
  const wanted = { of: 'classes', cogs: [cog], units, maxClasses: usualClasses, polygons } as const;
  const found = await countsOf(dependencies, wanted);
  return found.isPending ? found : { ...found, read: async () => AreasResult.parse(await found.read()) };
}

interface Wanted {
  readonly of: 'classes' | 'values';
  readonly cogs: readonly string[];
  /** Names the units, for the key. */
  readonly units: string;
  /** A client's own; else the administrative units of this version. */
  readonly polygons?: string;
  readonly districtsVersion?: number;
  readonly maxClasses: number;
}

async function countsOf(
  dependencies: Dependencies,
  { units, ...wanted }: Wanted,
): Promise<CountedAreas<unknown> | PendingResult> {
  const { db } = dependencies;
  const key = keyOf(await digestsOf(db, wanted.cogs), { ...wanted, units });
  const row = await readRow(db, key);
  if (row?.state === 'counted') {
    if (row.is_old)
      await db
        .updateTable('area_counts')
        .set({ used_at: sql`now()` })
        .where('key', '=', key)
        .execute();
    return { isPending: false, key, countedAt: row.changed_at, read: async () => await readFigures(db, key) };
  }
  if (row?.state === 'failed' && row.is_final) throw new Problem('invalid', storedMessage(row.failure));
  if (row?.state === 'failed' && !row.may_retry) throw areaProblems.failed();
  if (row?.state === 'pending' && row.has_job) return { isPending: true, ref: row.id };
  return { isPending: true, ref: await start(dependencies, { ...wanted, key }) };
}

/** Names the pixels by the digests of the COGs: the same pixels under another key are not counted again. */
function keyOf(
  digests: ReadonlyMap<string, string>,
  { of, cogs, units, maxClasses }: Pick<Wanted, 'of' | 'cogs' | 'units' | 'maxClasses'>,
): string {
  const text = JSON.stringify({
    method: methodVersions[of],
    cogs: cogs.map((each) => digests.get(each) ?? each),
    units,
    maxClasses,
    ...(of === 'values' ? { of } : {}),
  });
  return hash('sha256', text, 'hex');
}

/** SHA-256 of objects, hexadecimal, by key; without those whose digest was not kept. */
async function digestsOf(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('objects')
    .select(['key', 'sha256'])
    .where('key', '=', sql<string>`any(${keys})`)
    .execute();
  return new Map(rows.flatMap(({ key, sha256 }) => (sha256 === null ? [] : [[key, sha256.toString('hex')]])));
}

/** SHA-256 of an object, hexadecimal; null where it was not kept. */
export async function digestOf(db: Database, key: string): Promise<string | null> {
  return (await digestsOf(db, [key])).get(key) ?? null;
}

async function readRow(db: Database, key: string) {
  return await db
    .selectFrom('area_counts')
    .select([
      'id',
      'state',
      'failure',
      'is_final',
      'changed_at',
      hasJob('area_counts').as('has_job'),
      isUseOld.as('is_old'),
      mayRetry('area_counts').as('may_retry'),
    ])
    .where('key', '=', key)
    .executeTakeFirst();
}

async function readFigures(db: Database, key: string): Promise<unknown> {
  const row = await db.selectFrom('area_counts').select('figures').where('key', '=', key).executeTakeFirst();
  // It was pruned since; the next request counts again.
  if (row === undefined || row.figures === null) throw areaProblems.notCounted();
  return JSON.parse(row.figures);
}

/** @returns what the job is about. */
async function start(
  { db, messageQueue }: Dependencies,
  { of, key, cogs, polygons, districtsVersion, maxClasses }: Omit<Wanted, 'units'> & { readonly key: string },
): Promise<string> {
  const { ref, jobId } = await inTransaction(db, async (trx) => {
    if (polygons !== undefined) await refuseCrowd(trx, key);
    await sql`
      insert into area_counts (id, of, key, state, cogs, units, districts_version, max_classes)
        values (${randomUUID()}, ${of}, ${key}, 'pending', ${cogs}, ${polygons ?? null}, ${districtsVersion ?? null}, ${maxClasses})
      on conflict (key) do update set state = 'pending', cogs = excluded.cogs, units = excluded.units, failure = null,
          changed_at = now(), used_at = now()
        where area_counts.state = 'failed'`.execute(trx);
    const row = await trx
      .selectFrom('area_counts')
      .select(['id', 'state'])
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow();
    return { ref: row.id, jobId: await enqueueMissingJob(trx, 'count-areas', row) };
  });
  if (jobId !== undefined) {
    await messageQueue.notify(jobId, 'datasets');
    await prune(db);
  }
  return ref;
}

/**
 * Forgets what hardly comes back: a client's own polygons after a day, units as they were before a change, and what is not asked for; statistics of
 * values, of which tables of groups are made again and again, are kept as long as their raster.
 */
async function prune(db: Database): Promise<void> {
  await sql`delete from area_counts where id in (
    select id from area_counts
    where used_at < now() - case
        when districts_version is null then interval '1 day'
        when districts_version < (select version from districts_version) then interval '2 hours'
        else interval '90 days'
      end
      and (of = 'classes' or districts_version < (select version from districts_version)
        or not exists (select from objects where key = any (area_counts.cogs) and objects.state = 'live'))
    order by used_at limit 100 for update skip locked)`.execute(db);
}

async function refuseCrowd(db: Database, key: string): Promise<void> {
  const { count } = await db
    .selectFrom('area_counts')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('state', '=', 'pending')
    .where('units', 'is not', null)
    .where('key', '<>', key)
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostWaiting) throw areaProblems.tooManyWaiting();
}

function onlySets(figures: AreaFigures, by: AreaLevels): AreaFigures {
  if (by === 'all') return figures;
  return {
    ...figures,
    units: figures.units.filter(({ set }) => set === by),
    sets: figures.sets.filter(({ set }) => set === by),
  };
}
