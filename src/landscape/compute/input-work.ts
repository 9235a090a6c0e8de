import { z } from 'zod';
import { maxListedValues } from './listed-values.ts';

/** Maximum number of rasters of one input. */
export const maxInputRasters = 200;
/** Maximum number of distinct attribute values in a table. */
export const maxTableValues = 5000;

/** Replaces an attribute by numbers; the first row that applies wins where polygons overlap. */
const ValueTable = z.array(z.object({ value: z.string().nullable(), number: z.number().nullable() }));

const Rasterized = z.object({
  method: z.literal('rasterize'),
  attribute: z.string(),
  /** Centre of the pixel, class with the largest covered share, or mean weighted by covered shares. */
  rule: z.enum(['centre', 'majority', 'mean']),
  /** Null takes the numbers of the attribute, the largest where polygons overlap. */
  table: ValueTable.nullable(),
  unmapped: z.enum(['refuse', 'no_data']),
  /** Smallest covered share of a pixel with a value, for `majority` and `mean`. */
  minCoverage: z.number().min(0).max(1),
});

const Distance = z.object({
  method: z.literal('distance'),
  measure: z.enum(['geodesic', 'grid']),
  limitMetres: z.number().positive().nullable(),
  beyond: z.enum(['no_data', 'limit']),
  /** Measures only to features with one of these values. */
  where: z.object({ attribute: z.string(), values: z.array(z.string()) }).nullable(),
});

const Mosaic = z.object({
  method: z.literal('mosaic'),
  /** The value that a pixel takes from the rasters that have one, in their order. */
  rule: z.enum(['first', 'minimum', 'mean']),
});

const Arithmetic = z.object({
  method: z.literal('arithmetic'),
  /** A pixel without a value in one of the rasters has none. */
  combine: z.enum(['sum', 'mean', 'minimum', 'maximum']),
  scale: z.number(),
  offset: z.number(),
  /** Values that are not above it count as 0, after scale and offset and before the weights; null counts all. */
  above: z.number().nullable(),
  /** One per raster. */
  weights: z.array(z.number().positive()),
});

/** A soil map on a grid. */
export const exampleFigures = {
  width: 4096,
  height: 4096,
  valid: 15_812_440,
  features: 1284,
  skipped: 0,
  unmapped: [],
  unmapped_values: 0,
  overlap: 12,
  largest_difference: null,
  invalid: null,
  beyond_limit: null,
};

/** An input raster to make from stored files, all on the machine. */
export const InputWork = z.object({
  recipe: z.discriminatedUnion('method', [Rasterized, Distance, Mosaic, Arithmetic]),
  /** `grid` is a raster that gives the grid; `features` a FlatGeobuf; the others rasters in their order. Without `grid`, that of the first raster. */
  sources: z.array(
    z.object({ role: z.enum(['grid', 'features', 'raster']), key: z.string(), path: z.string() }),
  ),
  /** The classes that the raster may have; null for numbers. */
  classes: z.array(z.number()).nullable(),
  folder: z.string(),
});
export type InputWork = z.infer<typeof InputWork>;
export type InputRecipe = InputWork['recipe'];
export type RecipeOf<Method extends InputRecipe['method']> = Extract<
  InputRecipe,
  { readonly method: Method }
>;

const count = (text: string) => z.int().min(0).describe(text);
const countOrNull = (text: string) => z.int().min(0).nullable().describe(text);

/** Counts of pixels and features of a raster that was made. */
export const InputFigures = z
  .object({
    width: z.int().min(1).describe('Columns of the raster'),
    height: z.int().min(1).describe('Rows of the raster'),
    valid: count('Pixels with a value'),
    features: countOrNull('Features that were used; null for rasters'),
    skipped: countOrNull('Features without a suitable geometry, or without a wanted value; null for rasters'),
    unmapped: z
      .array(
        z.object({
          value: z.string().nullable().describe('The value as text; null for features without one'),
          features: count('Number of its features'),
        }),
      )
      .max(maxListedValues)
      .describe(
        'Values without a row in the table, which have left pixels without a value: the most frequent first',
      ),
    unmapped_values: count('Number of all such values'),
    overlap: countOrNull('Pixels of more than one polygon or raster; null for other methods'),
    largest_difference: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'Largest difference between values of one pixel; 1 for different classes; null without an overlap',
      ),
    invalid: countOrNull('Pixels of sources with an unknown class; null for numbers'),
    beyond_limit: countOrNull('Pixels beyond the limit of a distance; null without one'),
  })
  .meta({
    id: 'MadeRasterFigures',
    description: 'What was found while a raster was made',
    examples: [exampleFigures],
  });
export type InputFigures = z.infer<typeof InputFigures>;

export const MadeInput = z.object({ path: z.string(), figures: InputFigures });
export type MadeInput = z.infer<typeof MadeInput>;
