import { z } from 'zod';

/** What a warning is about. Stable: clients match on these, and the interface description lists them. */
export const WarningCode = z.enum([
  'layers_left_out',
  'files_left_out',
  'crs_assumed',
  'crs_member_ignored',
  'no_georeference',
  'encoding_guessed',
  'geometry_repaired',
  'rows_without_code',
  'codes_without_district',
  'mixed_decimal_comma',
  'ambiguous_decimal_comma',
  'names_truncated',
  'empty_layer',
  'not_freshest',
]);
export type WarningCode = z.infer<typeof WarningCode>;

export const Warning = z.object({ code: WarningCode, message: z.string() });
export type Warning = z.infer<typeof Warning>;

/** How a tuple is described: not every reader of descriptions knows `prefixItems`, and the length is there anyway. */
const listOfNumbers = { prefixItems: undefined, items: { type: 'number' } };

/** `[minX, minY, maxX, maxY]` in the coordinates of the source. */
const Extent = z.tuple([z.number(), z.number(), z.number(), z.number()]).meta(listOfNumbers).nullable();
/** `EPSG:n` where there is such a number, else WKT; null when the source has none. */
const Crs = z.string().nullable();

/** What a vector file or table turned out to be, and what was chosen from it. */
export const VectorSource = z.object({
  driver: z.string(),
  layer: z.string().nullable(),
  layers: z.array(
    z.object({
      name: z.string(),
      features: z.number().int().nonnegative().nullable(),
      geometry_types: z.array(z.string()),
    }),
  ),
  crs: Crs,
  extent: Extent,
  encoding: z.string().nullable(),
  /** What said so: `cpg`, `cst`, `dbf`, `strict UTF-8`, `guess` or `format`. */
  encoding_from: z.string().nullable(),
});
export type VectorSource = z.infer<typeof VectorSource>;

/** What a raster file turned out to be, and how its COG was made. */
export const RasterSource = z.object({
  width: z.number().int(),
  height: z.number().int(),
  bands: z.number().int(),
  data_type: z.string(),
  nodata: z.union([z.number(), z.string()]).nullable(),
  crs: Crs,
  extent: Extent,
  resolution: z.tuple([z.number(), z.number()]).meta(listOfNumbers).nullable(),
  cog: z
    .object({
      passed_through: z.boolean(),
      compression: z.string().nullable(),
      predictor: z.number().int().nullable(),
      overview_resampling: z.string().nullable(),
    })
    .nullable(),
});
export type RasterSource = z.infer<typeof RasterSource>;

/** What the engine saw in a file: its part of the import report. A file that was refused has findings too. */
export const Findings = z.object({
  source: VectorSource.nullable(),
  raster: RasterSource.nullable(),
  /** Seconds by step. */
  timings: z.record(z.string(), z.number()),
  warnings: z.array(Warning),
});
export type Findings = z.infer<typeof Findings>;
