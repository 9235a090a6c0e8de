import { z } from 'zod';
import { exampleStatistics } from '../lib/examples.ts';
import { Guid } from '../validation/fields.ts';

const Hectares = z.number().nullable();

const BandStatistics = z.object({
  index: z.int().min(1).describe('Number of the band in the file, from 1'),
  valid: z.int().describe('Number of pixels with a value'),
  nodata: z.int().describe('Number of pixels without a value'),
  min: z.number().nullable().describe('Least value; null without values, like the next six fields'),
  max: z.number().nullable().describe('Greatest value'),
  mean: z
    .number()
    .nullable()
    .describe('Mean of the values; every pixel has the same weight, whatever its area'),
  p2: z.number().nullable().describe('2nd percentile'),
  p98: z.number().nullable().describe('98th percentile'),
  percentiles: z
    .array(z.number())
    .nullable()
    .optional()
    .describe('The values below which 0, 1, … 100 % of the pixels lie; absent from older statistics'),
  histogram: z
    .object({
      min: z.number().describe('Lower bound of the first bin, at or below the least value'),
      max: z.number().describe('Upper bound of the last bin, at or above the greatest value'),
      counts: z.array(z.int()).describe('Number of pixels in each bin; at most 256 bins'),
    })
    .nullable()
    .describe('Counts of equally wide bins from `min` to `max`'),
  classes: z
    .array(
      z.object({
        value: z.int().describe('Whole number'),
        pixels: z.int().describe('Number of pixels with this value'),
        hectares: Hectares.describe('Area of these pixels'),
      }),
    )
    .nullable()
    .describe(
      'Counts by value in ascending order, for a band with at most 256 different whole numbers; `hectares` is null without a reference system',
    ),
  no_data_ha: Hectares.describe('Area of the pixels without a value'),
});

/** Values with scale and offset applied. */
export const RasterStatistics = z
  .object({
    dataset_id: Guid.describe('Id of the dataset'),
    pixels: z.int().describe('Width times height'),
    area_ha: Hectares.describe('Area of all pixels, geodesic on WGS 84; null without a reference system'),
    bands: z.array(BandStatistics).describe('Bands in the order of the file'),
  })
  .meta({
    id: 'RasterStatistics',
    description: 'Values and areas of all pixels of a raster',
    examples: [exampleStatistics],
  });
export type RasterStatistics = z.infer<typeof RasterStatistics>;
