import { hash } from 'node:crypto';
import { sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';
import { AreasResult, ValuesResult } from '../geo/protocol.ts';
import { type PendingResult, type ResultKind, want } from '../jobs/results.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { areaProblems } from '../messages/areas/english.ts';

/** Part of the key: a higher number makes all areas be counted again. */
const methodVersions = { classes: 1, values: 1 } as const;
/** The usual limit of different values of a raster of classes, as in `classes` of its statistics. */
export const usualClasses = 256;

const isOutdated = sql<SqlBool>`districts_version < (select version from districts_version)`;
const common = {
  job: 'count-areas',
  table: 'area_counts',
  content: z.object({}),
  kept: sql`case when ${isOutdated} then interval '2 hours' else interval '90 days' end`,
  notNow: areaProblems.failed,
} as const;
export const classCounts = {
  ...common,
  among: sql<SqlBool>`of = 'classes' and districts_version is not null`,
} satisfies ResultKind<z.ZodRawShape>;
/** Statistics of values are kept as long as their raster, because tables of groups need them again and again. */
export const valueCounts = {
  ...common,
  among: sql<SqlBool>`of = 'values'`,
  lasting: sql<SqlBool>`not ${isOutdated}
    and exists (select from objects where key = any (area_counts.cogs) and objects.state = 'live')`,
} satisfies ResultKind<z.ZodRawShape>;
/** Counts over a client's own polygons are kept for a short time, because they are rarely requested twice. */
export const ownCounts = {
  ...common,
  among: sql<SqlBool>`districts_version is null`,
  kept: sql`interval '1 day'`,
  waiting: { most: 32, refuse: areaProblems.tooManyWaiting },
} satisfies ResultKind<z.ZodRawShape>;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

/** Counted areas; `read` fetches the figures, in square metres. */
export interface CountedAreas<Figures = AreaFigures> {
  readonly isPending: false;
  /** Equal keys have equal figures. */
  readonly key: string;
  readonly countedAt: Date;
  read(): Promise<Figures>;
}

/** Counted figures: see `AreaCounts` of the geo engine. */
export type AreaFigures = AreasResult;

export interface AreasRequest {
  /** The object keys of one COG, or of several COGs on one grid; each tuple has one value per COG. */
  readonly cogs: readonly string[];
  /** The maximum number of different values per raster; 256 by default. */
  readonly maxClasses?: number;
}

/**
 * Returns the areas of the administrative units over COGs, or has them counted. All levels are counted at once, so that another `by`
 * costs nothing. Any number of processes may ask at once. The units have the KATO code as `id`, and their level as `set`.
 * @throws {Problem} when they could not be counted.
 */
export async function areasOf(
  dependencies: Dependencies,
  { cogs, maxClasses = usualClasses }: AreasRequest,
): Promise<(CountedAreas & { readonly districtsVersion: number }) | PendingResult> {
  const districtsVersion = await readDistrictsVersion(dependencies.db);
  const units = `districts ${districtsVersion}`;
  const found = await countsOf(dependencies, { of: 'classes', cogs, units, maxClasses, districtsVersion });
  if (found.isPending) return found;
  return { ...found, districtsVersion, read: async () => AreasResult.parse(await found.read()) };
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

/** Returns the key of the statistics (`area_counts.key`) of each COG, by the object key of the COG. */
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
 * @throws {Problem} when they could not be counted, or when too many requests wait.
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
  /** The name of the units in the key. */
  readonly units: string;
  /** The client's own polygons; undefined for the administrative units of this version. */
  readonly polygons?: string;
  readonly districtsVersion?: number;
  readonly maxClasses: number;
}

async function countsOf(
  dependencies: Dependencies,
  { units, polygons, districtsVersion, maxClasses, of, cogs }: Wanted,
): Promise<CountedAreas<unknown> | PendingResult> {
  const { db } = dependencies;
  const key = keyOf(await digestsOf(db, cogs), { of, cogs, units, maxClasses });
  const kind = polygons !== undefined ? ownCounts : of === 'values' ? valueCounts : classCounts;
  const found = await want(dependencies, kind, key, {
    columns: {
      of,
      cogs,
      units: polygons ?? null,
      districts_version: districtsVersion ?? null,
      max_classes: maxClasses,
    },
  });
  if (found.isPending) return found;
  return { isPending: false, key, countedAt: found.madeAt, read: async () => await readFigures(db, key) };
}

/** Identifies the pixels by the digests of the COGs: the same pixels under another object key are not counted again. */
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

/** Returns the SHA-256 of objects in hexadecimal, by key; objects without a stored digest are left out. */
async function digestsOf(db: Database, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('objects')
    .select(['key', 'sha256'])
    .where('key', '=', sql<string>`any(${keys})`)
    .execute();
  return new Map(rows.flatMap(({ key, sha256 }) => (sha256 === null ? [] : [[key, sha256.toString('hex')]])));
}

/** Returns the SHA-256 of an object in hexadecimal; null if it was not stored. */
export async function digestOf(db: Database, key: string): Promise<string | null> {
  return (await digestsOf(db, [key])).get(key) ?? null;
}

async function readFigures(db: Database, key: string): Promise<unknown> {
  const row = await db.selectFrom('area_counts').select('figures').where('key', '=', key).executeTakeFirst();
  // The row was pruned meanwhile; the next request counts again.
  if (row === undefined || row.figures === null) throw areaProblems.notCounted();
  return JSON.parse(row.figures);
}
