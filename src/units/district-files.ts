import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { inSnapshot } from '../database/transaction.ts';
import { encodingOptions } from '../datasets/geojson-forms.ts';
import { readVersions } from '../database/districts-version.ts';
import type { GeoJsonObjects } from '../datasets/outputs.ts';
import { createMemoryObjects } from '../object-store/memory-objects.ts';
import { unitLevels } from '../../common/maps/units/levels.ts';
import type { DistrictLevel } from './rows.ts';
import { z } from 'zod';
import { CalendarDate } from '../validation/fields.ts';
import { readPolygons } from '../geo/area/stored-borders.ts';
import { readBorders, readUnitsAt } from './history/units-at.ts';
import { type Borders, roundBorders } from './rounded-borders.ts';

/** Decimal places of a degree: about a kilometre, and a hundred metres. */
const decimalsOf = { coarse: 2, fine: 3 } as const;
type DistrictDetail = keyof typeof decimalsOf;

/** Limit of cached files for other days: one file serves all days between two changes. */
const maxDatedFiles = 6;

interface Wanted {
  readonly level: DistrictLevel;
  readonly detail: DistrictDetail;
  /** First day of a period without changes; undefined for the current units. */
  readonly since: string | undefined;
}

interface MadeFile {
  /** Version of the districts; the file has these or newer ones. */
  readonly version: number;
  readonly keys: Promise<GeoJsonObjects>;
}

export type DistrictFiles = ReturnType<typeof createDistrictFiles>;

/**
 * Creates the cache of the districts' own GeoJSON for one process: a few megabytes in all, in memory in every encoding
 * until the districts change.
 */
export function createDistrictFiles(db: Database) {
  const objects = createMemoryObjects();
  /** The newest file of each name, possibly still being written. */
  const files = new Map<string, MadeFile>();
  const stored = new Map<string, GeoJsonObjects>();

  function make(wanted: Wanted, version: number): MadeFile {
    const name = nameOf(wanted);
    const earlier = files.get(name)?.keys;
    const made = { version, keys: writeFile(wanted, earlier) };
    files.set(name, made);
    made.keys.then(
      () => dropDated(name),
      () => {
        if (files.get(name) === made) files.delete(name); // the next request retries
      },
    );
    return made;
  }

  /** Drops the oldest files if too many other days are cached. */
  function dropDated(newest: string): void {
    const dated = [...stored.keys()].filter((name) => name.includes('@') && name !== newest);
    for (const name of dated.slice(0, Math.max(0, dated.length + 1 - maxDatedFiles))) {
      const { key, encodedKeys } = stored.get(name) ?? {};
      for (const each of [key, encodedKeys?.gzip, encodedKeys?.br]) objects.remove(each ?? '');
      stored.delete(name);
      files.delete(name);
    }
  }

  /** Writes a file in all its forms; replaces the earlier one, which is completed first. */
  async function writeFile(wanted: Wanted, earlier: Promise<unknown> | undefined): Promise<GeoJsonObjects> {
    const content = Buffer.from(await writeDistricts(db, wanted));
    const [zipped, brotli] = await Promise.all([
      promisify(gzip)(content, encodingOptions.gzip),
      promisify(brotliCompress)(content, encodingOptions.br),
    ]);
    await earlier?.catch(() => undefined);
    const name = nameOf(wanted);
    const key = `districts/${name}/${hash('sha256', content, 'hex')}.geojson`;
    const made = { key, encodedKeys: { gzip: `${key}.gz`, br: `${key}.br` } };
    const before = stored.get(name);
    for (const each of [before?.key, before?.encodedKeys.gzip, before?.encodedKeys.br])
      objects.remove(each ?? '');
    objects.put(key, content);
    objects.put(made.encodedKeys.gzip, zipped);
    objects.put(made.encodedKeys.br, brotli);
    stored.set(name, made);
    return made;
  }

  return {
    objects,
    /** Returns the levels of the current units, from the country down. */
    async levels(): Promise<readonly DistrictLevel[]> {
      const rows = await db.selectFrom('districts').select('level').distinct().execute();
      const present = new Set(rows.map(({ level }) => level));
      return unitLevels.filter((level) => present.has(level));
    },
    /** Returns the keys of a level's GeoJSON, current or as of a day. It is written once for all concurrent requests. */
    async keysOf(level: DistrictLevel, detail: DistrictDetail, at?: string): Promise<GeoJsonObjects> {
      const { version, history } = await readVersions(db);
      const since = at === undefined ? undefined : await sinceWhen(db, at);
      const wanted = { level, detail, since };
      const known = files.get(nameOf(wanted));
      const newest = since === undefined ? version : version + history;
      const file = known !== undefined && known.version >= newest ? known : make(wanted, newest);
      return await file.keys;
    },
  };
}

function nameOf({ level, detail, since }: Wanted): string {
  return `${level}-${detail}${since === undefined ? '' : `@${since}`}`;
}

/** Returns the last day of a change until `at`; the first known day if there is none. */
async function sinceWhen(db: Database, at: string): Promise<string> {
  const { rows } = await sql<{ since: string | null }>`
    select max(day) as since from (
      select valid_from as day from districts union all select valid_to from districts union all
      select valid_from from former_districts union all select valid_to from former_districts) changes
    where day <= ${at}`.execute(db);
  return rows[0]?.since ?? '0001-01-01';
}

/** Limits memory; a unit may have megabytes. */
const unitsPerPage = 4;

const Properties = z.object({
  kato: z.string().describe('KATO code as text'),
  name: z.string().describe('Russian name'),
  name_kk: z.string().nullable().describe('Kazakh name; null if unknown'),
  name_en: z.string().nullable().describe('English name; null if unknown'),
  level: z.enum(unitLevels).describe('Requested level'),
  valid_from: CalendarDate.nullable()
    .optional()
    .describe(
      'With `at`: first day on which the unit existed in this form; null if no earlier change is known',
    ),
  valid_to: CalendarDate.nullable()
    .optional()
    .describe(
      'With `at`: first day on which the unit no longer existed in this form; null for a current unit',
    ),
});
const DistrictFeature = z.object({
  type: z.literal('Feature').describe('Always `Feature`'),
  geometry: z
    .looseObject({ type: z.enum(['Polygon', 'MultiPolygon']).describe('Type of the geometry') })
    .nullable()
    .describe(
      'The rounded borders; null for a unit without extent, or if the borders on that day are not known',
    ),
  properties: Properties.describe('The names of the unit'),
});

/** The units of one level with rounded borders, for the API description; it is written as text, unit by unit. */
export const DistrictCollection = z
  .object({
    type: z.literal('FeatureCollection').describe('Always `FeatureCollection`'),
    features: z.array(DistrictFeature).describe('One feature for each unit, ordered by code'),
  })
  .meta({
    id: 'DistrictCollection',
    description: 'Administrative units of one level (RFC 7946), in WGS 84 longitude and latitude',
    examples: [
      {
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            geometry: {
              type: 'Polygon',
              coordinates: [
                [
                  [71.22, 51],
                  [71.79, 51],
                  [71.79, 51.35],
                  [71.22, 51],
                ],
              ],
            },
            properties: {
              kato: '710000000',
              name: 'Астана',
              name_kk: 'Астана',
              name_en: 'Astana',
              level: 'region',
            },
          },
        ],
      },
    ],
  });

/** Writes the GeoJSON of all units of a level from one snapshot, with borders rounded to the decimals of the detail. */
async function writeDistricts(db: Database, { level, detail, since }: Wanted): Promise<string> {
  const features = await inSnapshot(db, async (trx) => {
    const written: string[] = [];
    const units = await readUnitsAt(trx, { at: since, level });
    for (let first = 0; first < units.length; first += unitsPerPage) {
      const page = units.slice(first, first + unitsPerPage);
      const borders = await readBorders(trx, page);
      for (const [index, { kato, name, name_kk, name_en, valid_from, valid_to }] of page.entries()) {
        const validity = since === undefined ? {} : { valid_from, valid_to };
        const properties = { kato, name, name_kk, name_en, level, ...validity };
        const text = borders[index] ?? null;
        const geometry = text === null ? null : round(text, decimalsOf[detail]);
        written.push(JSON.stringify({ type: 'Feature', geometry, properties }));
      }
    }
    return written;
  });
  return `{"type":"FeatureCollection","features":[\n${features.join(',\n')}\n]}\n`;
}

function round(text: string, decimals: number) {
  const borders: Borders = roundBorders(readPolygons(text), decimals);
  const [first, ...others] = borders;
  if (first === undefined) return null;
  return others.length === 0
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: borders };
}
