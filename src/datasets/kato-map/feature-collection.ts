import { z } from 'zod';
import { exampleFeature } from '../../common/examples.ts';

const Feature = z
  .object({
    type: z.literal('Feature').describe('Always `Feature`'),
    geometry: z
      .looseObject({ type: z.string().describe('Such as `MultiPolygon`') })
      .nullable()
      .describe('A GeoJSON geometry object'),
    properties: z.record(z.string(), z.unknown()).nullable().describe('Attributes by name'),
  })
  .meta({ id: 'Feature', description: 'A feature of RFC 7946', examples: [exampleFeature] });

/** The GeoJSON of a dataset (RFC 7946), for those who read it; it is written as text, piece by piece. */
export const FeatureCollection = z
  .object({
    type: z.literal('FeatureCollection').describe('Always `FeatureCollection`'),
    features: z.array(Feature).describe('One of a vector, one of each unit of a table by KATO'),
  })
  .meta({
    id: 'FeatureCollection',
    description: 'The GeoJSON of a dataset (RFC 7946), in WGS 84 longitude and latitude',
    examples: [{ type: 'FeatureCollection', features: [exampleFeature] }],
  });
