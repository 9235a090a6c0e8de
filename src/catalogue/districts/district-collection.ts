import { z } from 'zod';
import type { Database } from '../../database/tables.ts';
import { type Borders, roundBorders } from './rounded-borders.ts';
import type { DistrictLevel } from './rows.ts';

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
export async function writeDistricts(db: Database, level: DistrictLevel, decimals: number): Promise<string> {
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
