import { z } from 'zod';

const Feature = z
  .object({
    type: z.literal('Feature'),
    geometry: z.looseObject({ type: z.string() }).nullable().describe('A GeoJSON geometry object'),
    properties: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'Feature' });

/** The GeoJSON of a dataset (RFC 7946), for those who read it; it is written as text, piece by piece. */
export const FeatureCollection = z
  .object({ type: z.literal('FeatureCollection'), features: z.array(Feature) })
  .meta({ id: 'FeatureCollection' });
