import { z } from 'zod';
import { Guid } from '../validation/fields.ts';

const BandStatistics = z.object({
  index: z.int().min(1),
  valid: z.int().describe('Pixels with a value'),
  nodata: z.int().describe('Pixels without'),
  min: z.number().nullable().describe('Null without any value, as the next six'),
  max: z.number().nullable(),
  mean: z.number().nullable(),
  p2: z.number().nullable().describe('2 % of the values are below'),
  p98: z.number().nullable(),
  histogram: z
    .object({ min: z.number(), max: z.number(), counts: z.array(z.int()) })
    .nullable()
    .describe('Counts of equally wide bins from `min` to `max`'),
  classes: z
    .array(z.object({ value: z.int(), pixels: z.int(), hectares: z.number().nullable() }))
    .nullable()
    .describe(
      'Of a band of at most 256 different whole numbers, ascending; `hectares` is null without a reference system',
    ),
  no_data_ha: z.number().nullable().describe('Area of the pixels without a value'),
});

/** Values with scale and offset applied. */
export const RasterStatistics = z
  .object({
    dataset_id: Guid,
    pixels: z.int(),
    area_ha: z.number().nullable().describe('Area of all pixels, geodesic on WGS 84'),
    bands: z.array(BandStatistics),
  })
  .meta({ id: 'RasterStatistics', description: 'Values and areas of a raster, of all its pixels' });
export type RasterStatistics = z.infer<typeof RasterStatistics>;
