import { z } from 'zod';
import { unitLevels } from '../../common/maps/units/levels.ts';
import { Guid } from '../validation/fields.ts';
import { exampleDatasetAreas, exampleOwnAreas } from './examples.ts';

const Hectares = z.number().describe('Hectares, not rounded');
const HectaresByClass = z
  .record(z.string(), z.number())
  .describe('Hectares by value of the class; a class that does not occur is left out');

export const Method = z
  .object({
    area: z
      .literal('geodesic, WGS 84')
      .describe('Method of measurement: the area of each pixel on the ellipsoid'),
    border: z
      .literal('coverage fraction')
      .describe('Method at borders: a pixel contributes the share that the unit covers'),
    overviews: z.literal(false).describe('Always false: every pixel is counted at full resolution'),
  })
  .describe('The counting method');

/** An administrative unit, as rows of answers name it. */
export const Unit = z.object({
  kato: z.string().describe('KATO code, as text'),
  name: z.string().describe('Russian name'),
  name_kk: z.string().nullable().describe('Kazakh name; null when it is not known'),
  name_en: z.string().nullable().describe('English name; null when it is not known'),
  level: z.enum(unitLevels).describe('The level of the unit'),
});
export type Unit = z.infer<typeof Unit>;

const AreaClass = z.object({
  value: z.number().describe('The value of the pixels'),
  title: z
    .string()
    .nullable()
    .describe('The label in the legend, in the language of the answer; null without one'),
  color: z
    .string()
    .nullable()
    .describe('The colour of the class on the map, `#rrggbb`; null if the class is not drawn'),
});

const PixelAreas = z.object({
  area_ha: Hectares.describe('The whole area, hectares'),
  classes: HectaresByClass,
  no_data_ha: Hectares.describe('Area without a value, hectares'),
});

const UnitAreas = PixelAreas.extend({
  area_ha: Hectares.describe(
    'Area of the unit, hectares: the sum of its classes, `no_data_ha` and `outside_raster_ha`',
  ),
  outside_raster_ha: Hectares.describe('Area outside the raster, hectares'),
});

/** Members of all answers with areas of classes. */
const Counted = {
  digest: z
    .string()
    .nullable()
    .describe('SHA-256 of the COG that was counted, hexadecimal; null where it is not known'),
  unit: z.literal('ha').describe('The unit of all areas'),
  method: Method,
  classes: z.array(AreaClass).describe('The classes that occur, ascending by value'),
};

/** `all` has every level that has borders. */
export const AreaLevels = z.enum(['district', 'region', 'okrug', 'settlement', 'republic', 'all']);
export type AreaLevels = z.infer<typeof AreaLevels>;

export const DatasetAreas = z
  .object({
    dataset_id: Guid.describe('Id of the raster'),
    by: AreaLevels.describe('The requested units'),
    levels: z
      .array(z.enum(unitLevels))
      .optional()
      .describe('All levels that have borders; absent if these are regions and districts alone'),
    ...Counted,
    districts_version: z
      .int()
      .describe('The version of the administrative units; it increases with every change'),
    rows: z
      .array(
        z.object({
          ...Unit.shape,
          ...UnitAreas.shape,
        }),
      )
      .describe('Every unit, ordered by code'),
    total: UnitAreas.describe(
      'The sum over the rows; with `by=all` over the upper level that has units, usually the regions',
    ),
    raster: PixelAreas.describe('All pixels of the raster'),
    outside_units: PixelAreas.describe(
      'The part of the raster outside all units: `total` without `outside_raster_ha`, plus this part, less `overlap`, is `raster`',
    ),
    overlap: PixelAreas.describe('The part in more than one unit, counted once for each additional unit'),
  })
  .meta({
    id: 'DatasetAreas',
    description: 'Hectares of each class of a raster in each administrative unit',
    examples: [exampleDatasetAreas],
  });
export type DatasetAreas = z.infer<typeof DatasetAreas>;

export const OwnAreas = z
  .object({
    run_id: Guid.describe('Id of the run'),
    dataset_id: Guid.describe('The functional zoning of the run, which was counted'),
    ...Counted,
    rows: z
      .array(
        z.object({
          index: z.int().describe('Index of the feature in the body, starting at 0'),
          id: z
            .union([z.string(), z.number()])
            .nullable()
            .describe('The `id` of the feature; null without one'),
          ...UnitAreas.shape,
        }),
      )
      .describe('Every feature, in the order of the body'),
    union: UnitAreas.describe('All features together; places in several features are counted once'),
  })
  .meta({
    id: 'OwnAreas',
    description: 'Hectares of each zone of a run in polygons of the client',
    examples: [exampleOwnAreas],
  });
export type OwnAreas = z.infer<typeof OwnAreas>;
