import { z } from 'zod';
import { DatasetStatus, DatasetSummary } from '../../datasets/schema.ts';
import { CalendarDate, Guid, Name, Text } from '../../validation/fields.ts';
import { exampleFigures, InputFigures, maxInputRasters, maxTableValues } from '../compute/input-work.ts';
import { conversions } from './conversions.ts';

const vectorId = Guid.describe('The ready `vector` dataset');
const rasterIds = z
  .array(Guid)
  .min(1)
  .max(maxInputRasters)
  .describe('The ready `raster` datasets, in their order; the first band of each is read');
const referenceText =
  '`reference` is the grid of the current raster of `landscape-in-dem`, as runs use it; the id of a `raster` dataset takes the grid of that';
const vectorGrid = z
  .union([z.literal('reference'), Guid])
  .default('reference')
  .describe(`The grid of the result: ${referenceText}`);
const rasterGrid = z
  .union([z.enum(['reference', 'first']), Guid])
  .default('first')
  .describe(
    `The grid of the result: \`first\` is that of the first raster, which a mosaic extends to all rasters; ${referenceText}`,
  );

const result = {
  name: Name.optional().describe('Name of the dataset; by default that of the slot with its sources'),
  start_date: CalendarDate.nullable()
    .default(null)
    .describe(
      'Start of the period that the raster describes; without both dates, the period of all rasters of the recipe if each has one',
    ),
  end_date: CalendarDate.nullable()
    .default(null)
    .describe('End of the period, inclusive; decides which raster of the slot is the freshest'),
};

const AttributeText = Text.max(1000);

const Rasterize = z.object({
  method: z.literal('rasterize').describe('An attribute of polygons as a raster'),
  dataset_id: vectorId,
  attribute: AttributeText.min(1).describe('Name of the attribute'),
  rule: z
    .enum(['centre', 'majority', 'mean'])
    .default('centre')
    .describe(
      'Value of a pixel: `centre` that of the polygon at its centre, `majority` the one that covers most of it, `mean` the mean weighted by covered shares',
    ),
  table: z
    .array(
      z.object({
        value: AttributeText.nullable().describe(
          'A value of the attribute as text; null for features without one',
        ),
        number: z
          .number()
          .nullable()
          .describe('The class or number of its pixels; null for no value on purpose'),
      }),
    )
    .min(1)
    .max(maxTableValues)
    .nullable()
    .default(null)
    .describe(
      'The number of each value of the attribute. Where polygons overlap, the first row wins. Null takes the attribute as numbers, of which the largest wins; slots with classes require a table',
    ),
  unmapped: z
    .enum(['refuse', 'no_data'])
    .default('refuse')
    .describe(
      'Values of the attribute without a row: `refuse` makes no raster, `no_data` leaves them out and reports them',
    ),
  min_coverage: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('Smallest covered share of a pixel with a value, for `majority` and `mean`'),
  grid: vectorGrid,
  ...result,
});

const Distance = z.object({
  method: z.literal('distance').describe('Distance to the nearest feature, metres'),
  dataset_id: vectorId,
  measure: z
    .enum(['geodesic', 'grid'])
    .default('geodesic')
    .describe('`geodesic` on the ellipsoid of WGS 84, or in the plane of the `grid`'),
  limit_m: z
    .number()
    .min(1e-3)
    .max(2.1e7)
    .nullable()
    .default(null)
    .describe('Largest distance that is measured, metres'),
  beyond: z
    .enum(['no_data', 'limit'])
    .default('no_data')
    .describe('Value of a pixel beyond the limit: none, or the limit itself'),
  where: z
    .object({ attribute: AttributeText.min(1), values: z.array(AttributeText).min(1).max(maxTableValues) })
    .nullable()
    .default(null)
    .describe('Measures only to features whose attribute has one of these values, as text'),
  grid: vectorGrid,
  ...result,
});

const Mosaic = z.object({
  method: z.literal('mosaic').describe('Several rasters as one'),
  dataset_ids: rasterIds,
  rule: z
    .enum(['first', 'newest', 'minimum', 'mean'])
    .default('first')
    .describe(
      'Where rasters overlap: the `first` in their order, the `newest` by end date, or the `minimum` or `mean` of their values',
    ),
  grid: rasterGrid,
  ...result,
});

const Arithmetic = z.object({
  method: z.literal('arithmetic').describe('Numbers computed from rasters, pixel by pixel'),
  dataset_ids: rasterIds,
  combine: z
    .enum(['sum', 'mean', 'minimum', 'maximum'])
    .default('mean')
    .describe('Of several rasters; a pixel without a value in one of them has none'),
  weights: z
    .enum(['equal', 'days'])
    .default('equal')
    .describe('`days` multiplies each raster by the days of its period, for sums and means of daily values'),
  scale: z.number().min(-1e12).max(1e12).default(1).describe('Factor for each value'),
  offset: z.number().min(-1e12).max(1e12).default(0).describe('Added to each value after `scale`'),
  conversion: z
    .enum(conversions)
    .nullable()
    .default(null)
    .describe('Conversion of the unit of each value, after `offset`'),
  above: z
    .number()
    .min(-1e12)
    .max(1e12)
    .nullable()
    .default(null)
    .describe(
      'Values that are not above it, after the conversion, count as 0: with 10, `sum` and `days` make sums of active temperatures of daily or monthly means in °C',
    ),
  grid: rasterGrid,
  ...result,
});

export const exampleRecipe = {
  method: 'rasterize',
  dataset_id: 'a4c9e7d2-6b13-4f58-b0d7-8e2f1a3c5b64',
  attribute: 'texture',
  rule: 'majority',
  table: [
    { value: 'clay', number: 1 },
    { value: 'loam', number: 7 },
    { value: 'water', number: null },
  ],
  unmapped: 'refuse',
  min_coverage: 0.5,
  grid: 'reference',
  start_date: null,
  end_date: null,
} as const;

export const InputRecipeBody = z
  .discriminatedUnion('method', [Rasterize, Distance, Mosaic, Arithmetic])
  .meta({
    id: 'InputRecipe',
    description: 'How an input raster is made of other datasets',
    examples: [exampleRecipe],
  });
export type InputRecipeBody = z.infer<typeof InputRecipeBody>;

export const exampleMade = {
  id: '9d2f7c1e-5b8a-4e63-a1f4-0c7b3d6e8a25',
  slot: 'landscape-in-soil-texture',
  recipe: exampleRecipe,
  recipe_version: 1,
  sources: [
    {
      dataset_id: exampleRecipe.dataset_id,
      name: 'Soil map',
      role: 'features',
      storage_key: 'features/a4c9e7d2/1.fgb',
      newer: null,
    },
  ],
  state: 'made',
  error: null,
  dataset_id: '0b6f5a3e-7c1d-4e2f-8b90-4d5a6c7e8f12',
  dataset_status: 'ready',
  figures: exampleFigures,
  created_at: '2026-11-30T10:20:30.456Z',
} as const;

export const MadeInputView = z
  .object({
    id: Guid.describe('Id of the made raster'),
    slot: z.string().describe('Code of its slot'),
    recipe: InputRecipeBody.describe(
      'The recipe with its defaults; send it again to repeat it, with other sources if needed',
    ),
    recipe_version: z.int().describe('Version of the methods of recipes'),
    sources: z
      .array(
        z.object({
          dataset_id: Guid.describe('The dataset, which may have been deleted since'),
          name: z.string().describe('Its name when the raster was requested'),
          role: z.enum(['grid', 'features', 'raster']).describe('What the recipe takes from it'),
          storage_key: z
            .string()
            .describe('Key of the file that is read: a key is never used for other bytes'),
          newer: DatasetSummary.nullable().describe(
            'A fresher ready dataset of the same group, with which the recipe can be repeated; null if several sources are of that group, as months and tiles are',
          ),
        }),
      )
      .describe('The datasets that were read'),
    state: z
      .enum(['pending', 'made', 'failed'])
      .describe('The state; `pending`: a job makes the raster; `made`: the dataset exists'),
    error: z.string().nullable().describe('The reason of a failure; null unless `failed`'),
    dataset_id: Guid.nullable().describe('The `raster` dataset in the slot; null until it is made'),
    dataset_status: DatasetStatus.nullable().describe('Its status; null until it is made'),
    figures: InputFigures.nullable().describe('What was found while the raster was made; null until then'),
    created_at: z.iso.datetime().describe('The time of the first request, UTC'),
  })
  .meta({
    id: 'MadeRaster',
    description: 'An input raster that was made of other datasets, with its lineage',
    examples: [exampleMade],
  });
export type MadeInputView = z.infer<typeof MadeInputView>;

export const AttributeValues = z
  .object({
    values: z
      .array(
        z.object({
          value: z.string().nullable().describe('The value as text; null for features without one'),
          features: z.int().min(1).describe('Number of features'),
          suggested: z
            .number()
            .nullable()
            .describe('The class of the slot whose words the value resembles; null if none or several do'),
        }),
      )
      .describe('The most frequent first'),
    is_complete: z.boolean().describe('False if the vector has more features or values than are listed'),
  })
  .meta({
    id: 'AttributeValues',
    description: 'Values of an attribute with suggestions for the table of a recipe',
    examples: [{ values: [{ value: 'clay', features: 12, suggested: 1 }], is_complete: true }],
  });
export type AttributeValues = z.infer<typeof AttributeValues>;
