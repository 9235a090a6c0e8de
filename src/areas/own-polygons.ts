import { z } from 'zod';
import { areaProblems } from '../messages/areas/english.ts';
import { invalidFields } from '../lib/errors.ts';
import { parseBody } from '../validation/parse-body.ts';
import { exampleFeatures } from './examples.ts';
import { lineOf } from './unit-lines.ts';

/** Limits of one request: the number of polygons and their total number of positions. */
const maxFeatures = 1000;
const maxPositions = 250_000;

const Position = z
  .array(z.number())
  .min(2)
  .max(4)
  .describe('Longitude (−180 to 180) and latitude (−90 to 90) in degrees on WGS 84; a height is ignored');
const Ring = z.array(Position).min(4).describe('A closed ring: its last position equals its first');
const Rings = z.array(Ring).min(1).describe('The outer ring, then holes');
const polygon = {
  type: z.literal('Polygon').describe('A polygon'),
  coordinates: Rings,
};
const multiPolygon = {
  type: z.literal('MultiPolygon').describe('Several polygons'),
  coordinates: z.array(Rings).min(1).describe('The rings of each polygon'),
};
const Polygon = z.looseObject(polygon);
const MultiPolygon = z.looseObject(multiPolygon);
const Feature = z.looseObject({
  type: z.literal('Feature').describe('A feature'),
  id: z
    .union([z.string().max(255), z.number()])
    .optional()
    .describe('An id, which is returned with the areas'),
  geometry: z.union([Polygon, MultiPolygon]).describe('The geometry whose area is counted'),
});
const FeatureCollection = z.looseObject({
  type: z.literal('FeatureCollection').describe('Several features'),
  features: z
    .array(Feature)
    .min(1)
    .max(maxFeatures)
    .describe('Features, each counted separately even if they overlap'),
});

/** GeoJSON (RFC 7946) with polygons. Edges are straight lines in longitude and latitude. */
export const OwnPolygons = z
  .union([FeatureCollection, Feature, Polygon, MultiPolygon])
  .meta({ description: 'GeoJSON with polygons', examples: [exampleFeatures] });

/** Returns the features of any kind of GeoJSON. Only one type is validated, so that errors name the wrong member. */
function featuresOf(body: unknown): readonly Pick<z.infer<typeof Feature>, 'geometry' | 'id'>[] {
  const { data: { type } = {} } = z.object({ type: z.unknown() }).safeParse(body);
  switch (type) {
    case 'FeatureCollection':
      return parseBody(FeatureCollection, body).features;
    case 'Feature':
      return [parseBody(Feature, body)];
    case 'Polygon':
      return [{ geometry: parseBody(Polygon, body) }];
    case 'MultiPolygon':
      return [{ geometry: parseBody(MultiPolygon, body) }];
    default:
      throw invalidFields({ type: areaProblems.notPolygons() });
  }
}

/** A client's polygons, ready for counting. */
export interface ReadPolygons {
  /** Lines of `AreaUnit`. */
  readonly lines: string;
  /** The id of each feature. */
  readonly featureIds: readonly (string | number | null)[];
}

/**
 * Reads and checks the polygons of a body.
 * @throws {Problem} if the body is not GeoJSON with polygons, has open rings, has positions that are not on the earth, or exceeds a limit.
 */
export function readPolygons(body: unknown): ReadPolygons {
  const features = featuresOf(body);
  let positions = 0;
  const lines = features.map(({ geometry: { type, coordinates } }, index) => {
    const geometry = type === 'Polygon' ? { type, polygons: [coordinates] } : { type, polygons: coordinates };
    for (const ring of geometry.polygons.flat()) {
      positions += ring.length;
      if (positions > maxPositions) throw areaProblems.tooManyPositions(maxPositions);
      checkRing(ring, index);
    }
    const flat = geometry.polygons.map((rings) => rings.map((ring) => ring.map(([lon, lat]) => [lon, lat])));
    return lineOf(String(index), 'polygon', JSON.stringify({ type: 'MultiPolygon', coordinates: flat }));
  });
  const featureIds = features.map(({ id = null }) => id);
  return { lines: lines.join(''), featureIds };
}

function checkRing(ring: readonly (readonly number[])[], index: number): void {
  for (const [lon = Number.NaN, lat = Number.NaN] of ring)
    if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) throw areaProblems.beyondEarth(index);
  const [first, last] = [ring[0], ring.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) throw areaProblems.openRing(index);
}
