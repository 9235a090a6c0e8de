import { z } from 'zod';
import { readable } from '../lib/readable.ts';
import { factsOf, Message } from '../lib/message.ts';
import { KiB } from '../lib/units.ts';

/** Codes of warnings. Stable: clients match on them, and the interface description lists them. */
export const WarningCode = z.enum([
  'layers_left_out',
  'files_left_out',
  'crs_assumed',
  'crs_member_ignored',
  'no_georeference',
  'georeference_fitted',
  'colours_converted',
  'unusual_bits',
  'cog_differs',
  'encoding_guessed',
  'geometry_repaired',
  'geometry_lost',
  'rows_without_shape',
  'rows_without_code',
  'codes_without_district',
  'units_without_border',
  'mixed_decimal_comma',
  'ambiguous_decimal_comma',
  'names_truncated',
  'property_repeated',
  'empty_layer',
  'not_freshest',
  'axes_maybe_swapped',
  'codes_repaired',
  'codes_repeated',
  'values_converted',
  'ambiguous_decimal_point',
  'columns_left_out',
  'dates_impossible',
  'datum_unknown',
  'encoding_overruled',
  'ids_left_out',
  'longitudes_turned',
  'nodata_suspected',
  'overviews_replaced',
  'no_values',
  'complex_values',
  'scale_zero',
  'crs_contradicted',
  'solids_flattened',
  'heights_left_out',
  'heights_filled',
  'values_as_json',
  'features_left_out',
  'other_warnings',
]);
export type WarningCode = z.infer<typeof WarningCode>;

/** Text from a file, cut to a readable length: a hijacked child may send anything. */
export function readableText(maxCharacters = 255) {
  return z.string().overwrite((text) => readable(text, maxCharacters));
}

/** A list from a child, cut to a readable length. */
function shortList<T extends z.ZodType>(item: T, maxItems: number) {
  return z.array(item).overwrite((items) => items.slice(0, maxItems));
}

const maxFactsCharacters = 64 * KiB;

/** A sentence as code and facts, possibly from a hijacked child; oversized facts are dropped together with the code. */
export const Sentence = z
  .object({
    code: z.string().max(100).describe('Of the sentence, such as `archive.damaged`; stable'),
    facts: z
      .array(z.unknown())
      .describe(
        'The facts in the sentence, in order: numbers, names, lists; a phrase in it is an object with `code` and `facts`',
      ),
  })
  .overwrite(({ code, facts }) => {
    const isShort = JSON.stringify(facts).length <= maxFactsCharacters;
    return isShort ? { code, facts: [...factsOf(facts)] } : { code: '', facts: [] };
  });

const StoredFailure = z.object({ english: z.string(), sentence: Sentence.optional() });

/** Parses a failure as stored in a row. */
export function storedMessage(stored: string | null): Message {
  const { english, sentence } = StoredFailure.parse(JSON.parse(stored ?? '{"english":"unknown"}'));
  return new Message(english, sentence);
}

export const Warning = z.object({
  code: WarningCode.describe('The code of the warning; stable'),
  message: readableText(2 * KiB).describe('The warning as a sentence about this file'),
  sentence: Sentence.optional().describe(
    'The message as code and facts, for clients with messages of their own; absent from older reports',
  ),
});
export type Warning = z.infer<typeof Warning>;

/** Describes a tuple as a list, because not every JSON Schema reader supports `prefixItems`. */
export const listOfNumbers = { prefixItems: undefined, items: { type: 'number' } };

const Extent = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .meta(listOfNumbers)
  .nullable()
  .describe('`[minX, minY, maxX, maxY]` in the coordinates of the source');
const Crs = readableText(64 * KiB)
  .nullable()
  .describe('`EPSG:n` if such a number exists, otherwise WKT; null when the source has none');
const Accuracy = z.number().nonnegative().nullable();
/** Operation by which coordinates of another datum were brought to WGS 84. */
export const DatumShift = z.object({
  operation: readableText(60)
    .nullable()
    .describe('Code of the operation, such as `EPSG:15865`; null when the file states the parameters itself'),
  name: readableText().nullable().describe('Name of the operation in the registry'),
  accuracy_m: Accuracy.describe('How accurate the registry calls it, in metres; null when not known'),
  better: z
    .object({
      operation: readableText(60).describe('Code of the operation, such as `EPSG:10964`'),
      name: readableText().describe('Name of the operation in the registry'),
      accuracy_m: Accuracy.describe('How accurate the registry calls it, in metres; null when not known'),
      grid: readableText().describe(
        'Name of its file. In `PROJ_GRIDS_DIR`, it is used between the two systems of the operation',
      ),
    })
    .nullable()
    .describe(
      'A more accurate operation with a grid, to WGS 84 or to a system that agrees with it within a metre. Null when there is none',
    ),
});
export type DatumShift = z.infer<typeof DatumShift>;
const Shift = DatumShift.optional().describe(
  'The shift between the datum of the source and WGS 84. Absent when the source is on WGS 84, when no operation of the registry leads to the same positions, and from older reports',
);
const Pixels = z.number().int();

/** A vector file or table as read, and the chosen layer. */
export const VectorSource = z.object({
  driver: readableText().describe("GDAL's name of the format"),
  layer: readableText().nullable().describe('The layer that was taken'),
  layers: shortList(
    z.object({
      name: readableText().describe('As the file has it'),
      features: z.number().int().nonnegative().nullable().describe('How many there are; null when not known'),
      geometry_types: shortList(readableText(), 100).describe('Such as `MultiPolygon`'),
    }),
    1000,
  ).describe('Every layer of the file'),
  crs: Crs,
  shift: Shift,
  extent: Extent,
  encoding: readableText().nullable().describe('How the text of the attributes is encoded'),
  encoding_from: readableText()
    .nullable()
    .describe('The source of the encoding: `cpg`, `cst`, `dbf`, `strict UTF-8`, `guess` or `format`'),
});
export type VectorSource = z.infer<typeof VectorSource>;

/** One number for all bands, or one each. */
const OfBands = z.union([z.number(), shortList(z.number(), 65_536)]).nullable();

/** One text for each of the first bands: a file may have 65,536 bands. */
const TextsOfBands = shortList(readableText().nullable(), 256);

/** A raster file as read, and the making of its COG. */
export const RasterSource = z.object({
  width: Pixels.describe('Columns of pixels'),
  height: Pixels.describe('Rows of pixels'),
  bands: z.number().int().describe('How many values a pixel has'),
  data_type: readableText().describe("GDAL's name of the type of the values, such as `Float32`"),
  nodata: z.union([z.number(), readableText()]).nullable().describe('The value that means "no data"'),
  scale: OfBands.optional().describe(
    'The factor that turns a sample of the file into a value: a number, or one for each band if they differ. Null if the file has neither this nor an offset; absent from older reports',
  ),
  offset: OfBands.optional().describe('The number that is then added, in the same form'),
  band_names: TextsOfBands.optional().describe(
    'The names of the bands in the file, in order; null for a band without a name. Absent if no band has one',
  ),
  band_units: TextsOfBands.optional().describe('The units of their values by the file, in the same form'),
  crs: Crs,
  proj: readableText(2 * KiB)
    .nullable()
    .describe(
      'The same as a PROJ string, with the shift of its datum to WGS 84, which is fitted to the position of the raster if PROJ cannot express it. Null when the raster does not lie on the earth; absent from older reports',
    ),
  shift: Shift,
  extent: Extent,
  resolution: z
    .tuple([z.number(), z.number()])
    .meta(listOfNumbers)
    .nullable()
    .describe('Width and height of a pixel in the coordinates of the source'),
  cog: z
    .object({
      passed_through: z
        .boolean()
        .describe('Whether the upload was a valid COG already and was kept as it is'),
      compression: readableText().nullable().describe('Such as `DEFLATE`'),
      predictor: z.number().int().nullable().describe('Number of the TIFF predictor'),
      overview_resampling: readableText()
        .nullable()
        .describe('How the overviews were made, such as `AVERAGE`'),
    })
    .nullable()
    .describe('How the COG is written; null when there is none'),
});
export type RasterSource = z.infer<typeof RasterSource>;

/** The engine's part of the import report. A refused file has findings as well. */
export const Findings = z.object({
  source: VectorSource.nullable(),
  raster: RasterSource.nullable(),
  /** Seconds per step. */
  timings: z
    .record(readableText(), z.number())
    .overwrite((timings) => Object.fromEntries(Object.entries(timings).slice(0, 100))),
  warnings: shortList(Warning, 100),
});
export type Findings = z.infer<typeof Findings>;
