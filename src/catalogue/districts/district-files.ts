import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Database } from '../../database/tables.ts';
import { encodingOptions } from '../../datasets/geojson-forms.ts';
import { readDistrictsVersion } from '../../datasets/kato-map/kato-geojson.ts';
import type { GeoJsonObjects } from '../../datasets/outputs.ts';
import { createMemoryObjects } from '../../object-store/memory-objects.ts';
import type { DistrictLevel } from './rows.ts';
import { z } from 'zod';
import { type Borders, roundBorders } from './rounded-borders.ts';

/** Decimals of a degree: about a kilometre, and a hundred metres. */
const decimalsOf = { coarse: 2, fine: 3 } as const;
type DistrictDetail = keyof typeof decimalsOf;

interface MadeFile {
  /** The version of the districts; the file is made of these or newer ones. */
  readonly version: number;
  readonly keys: Promise<GeoJsonObjects>;
}

export type DistrictFiles = ReturnType<typeof createDistrictFiles>;

/**
 * Creates the keeper of the districts' own GeoJSON for one process: a few megabytes in all, which it keeps in memory in every
 * encoding until the districts change.
 */
export function createDistrictFiles(db: Database) {
  const objects = createMemoryObjects();
  /** The newest of each name, which may be under way. */
  const files = new Map<string, MadeFile>();
  const stored = new Map<string, GeoJsonObjects>();

  function make(level: DistrictLevel, detail: DistrictDetail, version: number): MadeFile {
    const name = nameOf(level, detail);
    const earlier = files.get(name)?.keys;
    const made = { version, keys: writeFile(level, detail, earlier) };
    files.set(name, made);
    made.keys.catch(() => {
      if (files.get(name) === made) files.delete(name); // the next request tries again
    });
    return made;
  }

  /** Writes a file in all its forms; it takes the place of the one before, which comes to its end first. */
  async function writeFile(
    level: DistrictLevel,
    detail: DistrictDetail,
    earlier: Promise<unknown> | undefined,
  ): Promise<GeoJsonObjects> {
    const content = Buffer.from(await writeDistricts(db, level, decimalsOf[detail]));
    const [zipped, brotli] = await Promise.all([
      promisify(gzip)(content, encodingOptions.gzip),
      promisify(brotliCompress)(content, encodingOptions.br),
    ]);
    await earlier?.catch(() => undefined);
    const name = nameOf(level, detail);
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
    /** Where the bytes are. */
    objects,
    /** Returns the keys of a level's GeoJSON as the districts are now. It is made once however many ask. */
    async keysOf(level: DistrictLevel, detail: DistrictDetail): Promise<GeoJsonObjects> {
      const version = await readDistrictsVersion(db);
      const known = files.get(nameOf(level, detail));
      const file = known !== undefined && known.version >= version ? known : make(level, detail, version);
      return await file.keys;
    },
  };
}

function nameOf(level: DistrictLevel, detail: DistrictDetail): string {
  return `${level}-${detail}`;
}

/** Bounds what is in memory as it was stored; a unit may be megabytes. */
const unitsPerPage = 4;

const Position = z.array(z.number());
const Polygon = z.array(z.array(Position));
const Geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Polygon'), coordinates: Polygon }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(Polygon) }),
]);

const Properties = z.object({
  kato: z.string().describe('KATO code, as text'),
  name: z.string().describe('Russian name'),
  name_kk: z.string().nullable().describe('Kazakh name; null when it is not known'),
  name_en: z.string().nullable().describe('English name; null when it is not known'),
  level: z.enum(['region', 'district']).describe('As it was asked for'),
});
const DistrictFeature = z.object({
  type: z.literal('Feature').describe('Always `Feature`'),
  geometry: z
    .looseObject({ type: z.enum(['Polygon', 'MultiPolygon']).describe('The kind of borders') })
    .nullable()
    .describe('The rounded borders; null for a unit without extent'),
  properties: Properties.describe('What the unit is called'),
});

/** The units of one level with rounded borders, for those who read it; it is written as text, unit by unit. */
export const DistrictCollection = z
  .object({
    type: z.literal('FeatureCollection').describe('Always `FeatureCollection`'),
    features: z.array(DistrictFeature).describe('One of each unit, ordered by code'),
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

/** Writes the GeoJSON of all units of a level from one snapshot, their borders rounded to so many decimals of a degree. */
async function writeDistricts(db: Database, level: DistrictLevel, decimals: number): Promise<string> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const features = await snapshot.execute(async (trx) => {
    const written: string[] = [];
    for (let last = ''; ;) {
      const units = await trx
        .selectFrom('districts')
        .select(['kato_code', 'name', 'name_kk', 'name_en', 'geometry'])
        .where('level', '=', level)
        .where('kato_code', '>', last)
        .orderBy('kato_code')
        .limit(unitsPerPage)
        .execute();
      for (const { kato_code: kato, geometry, ...names } of units) {
        const properties = { kato, ...names, level };
        written.push(JSON.stringify({ type: 'Feature', geometry: round(geometry, decimals), properties }));
        last = kato;
      }
      if (units.length < unitsPerPage) return written;
    }
  });
  return `{"type":"FeatureCollection","features":[\n${features.join(',\n')}\n]}\n`;
}

function round(text: string, decimals: number) {
  const { type, coordinates } = Geometry.parse(JSON.parse(text));
  const borders: Borders = roundBorders(type === 'Polygon' ? [coordinates] : coordinates, decimals);
  const [first, ...others] = borders;
  if (first === undefined) return null;
  return others.length === 0
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: borders };
}
