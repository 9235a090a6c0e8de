import { z } from 'zod';
import { exampleStatistics } from '../lib/examples.ts';
import { Guid } from '../validation/fields.ts';

const Hectares = z.number().nullable();

const BandStatistics = z.object({
  index: z.int().min(1).describe('From 1 on, as in the file'),
  valid: z.int().describe('Pixels with a value'),
  nodata: z.int().describe('Pixels without'),
  min: z.number().nullable().describe('Null without any value, as the next six'),
  max: z.number().nullable().describe('The greatest value'),
  mean: z
    .number()
    .nullable()
    .describe('Of the values, where each pixel has the same weight, whatever its area'),
  p2: z.number().nullable().describe('2 % of the values are below'),
  p98: z.number().nullable().describe('98 % of the values are below'),
  percentiles: z
    .array(z.number())
    .nullable()
    .optional()
    .describe('The values below which 0, 1, … 100 % of the pixels lie; absent from older statistics'),
  histogram: z
    .object({
      min: z.number().describe('Where the first bin begins, at or below the least value'),
      max: z.number().describe('Where the last bin ends, at or above the greatest value'),
      counts: z.array(z.int()).describe('Pixels by bin, at most 256'),
    })
    .nullable()
    .describe('Counts of equally wide bins from `min` to `max`'),
  classes: z
    .array(
      z.object({
        value: z.int().describe('The whole number'),
        pixels: z.int().describe('Pixels with this value'),
        hectares: Hectares.describe('Their area'),
      }),
    )
    .nullable()
    .describe(
      'Of a band of at most 256 different whole numbers, ascending; `hectares` is null without a reference system',
    ),
  no_data_ha: Hectares.describe('Area of the pixels without a value'),
});

/** Values with scale and offset applied. */
export const RasterStatistics = z
  .object({
    dataset_id: Guid.describe('Of the dataset'),
    pixels: z.int().describe('Width times height'),
    area_ha: Hectares.describe('Area of all pixels, geodesic on WGS 84; null without a reference system'),
    bands: z.array(BandStatistics).describe('In the order of the file'),
  })
  .meta({
    id: 'RasterStatistics',
    description: 'Values and areas of a raster, of all its pixels',
    examples: [exampleStatistics],
  });
export type RasterStatistics = z.infer<typeof RasterStatistics>;
