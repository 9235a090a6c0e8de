import { exampleUnit } from '../../areas/examples.ts';
import { z } from 'zod';
import { countedMembers } from '../balance/balance-schema.ts';
import { Hectares, landByUnit } from './land-schema.ts';
import { limitationNames } from '../graph/kernels/limitations.ts';

/** The limitations of sectors, in the order of the letters. */
export const LimitationField = z.enum(limitationNames);

export const SectorCode = z.enum(['21', '22', '23', '24', '25']);
export type SectorCode = z.infer<typeof SectorCode>;

const Suitability = z.int().min(1).max(5);

const LimitShare = z.object({
  factor: LimitationField.describe('Name of the factor, one of `factors`'),
  alone_ha: Hectares.describe('Area of the class where its rating alone is the least'),
  with_others_ha: Hectares.describe(
    'Area of the class where its rating is the least and those of other factors are equal',
  ),
});

const Subclass = z.object({
  subclass: z
    .string()
    .describe('Subclass: the class and the letters of all its limits, in the order of `factors`'),
  ha: Hectares.describe('Area of the subclass'),
});

const exampleClass = {
  class: 4,
  ha: 20_123.94,
  relieved_ha: 402_118.25,
  limits: [{ factor: 'moisture', alone_ha: 20_123.94, with_others_ha: 0 }],
  subclasses: [{ subclass: '4m', ha: 20_123.94 }],
};

const LimitedClass = z
  .object({
    class: Suitability.describe('Suitability, which is the least rating'),
    ha: Hectares.describe('Area of the class in the run'),
    relieved_ha: Hectares.nullable().describe(
      'Area of the class if the rating of `relieved` were 5 on all rated land; null without `relieved`',
    ),
    limits: z
      .array(LimitShare)
      .describe('Factors that limit the class here, in the order of `factors`; none in class 5'),
    subclasses: z
      .array(Subclass)
      .describe('Sets of factors that limit the class here, the largest area first'),
  })
  .meta({
    id: 'LimitedClass',
    description: 'A class of a suitability, and its limits',
    examples: [exampleClass],
  });

const landMembers = {
  classes: z.array(LimitedClass).length(5).describe('Classes, from 5 to 1'),
  not_allocable_ha: Hectares.describe('Land not allocable: water, built-up land, snow and ice'),
  no_data_ha: Hectares.describe('Land where a factor has no value'),
};

const exampleLand = {
  classes: [
    { class: 5, ha: 0, relieved_ha: 210_334.5, limits: [], subclasses: [] },
    exampleClass,
    {
      class: 3,
      ha: 602_871.5,
      relieved_ha: 10_542.69,
      limits: [
        { factor: 'topography', alone_ha: 0, with_others_ha: 9_412.25 },
        { factor: 'moisture', alone_ha: 593_459.25, with_others_ha: 9_412.25 },
      ],
      subclasses: [
        { subclass: '3m', ha: 593_459.25 },
        { subclass: '3tm', ha: 9_412.25 },
      ],
    },
    { class: 2, ha: 0, relieved_ha: 0, limits: [], subclasses: [] },
    {
      class: 1,
      ha: 86_614.37,
      relieved_ha: 86_614.37,
      limits: [{ factor: 'cover', alone_ha: 86_614.37, with_others_ha: 0 }],
      subclasses: [{ subclass: '1v', ha: 86_614.37 }],
    },
  ],
  not_allocable_ha: 10_233.4,
  no_data_ha: 0,
};

const exampleLimits = {
  run_id: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  sector: '23',
  title: 'Suitability: rain-fed crop',
  by: 'district',
  districts_version: 3,
  unit: 'ha',
  method: { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false },
  relieved: 'moisture',
  factors: [
    {
      factor: 'moisture',
      letter: 'm',
      title: 'Moisture',
      inputs: [{ group: 'landscape-in-precipitation', title: 'Annual precipitation' }],
    },
  ],
  units: [
    {
      ...exampleUnit,
      area_ha: 719_855.92,
      outside_raster_ha: 12.71,
      ...exampleLand,
    },
  ],
  raster: { area_ha: 719_843.21, ...exampleLand },
  outside_units: {
    area_ha: 0,
    classes: [5, 4, 3, 2, 1].map((rating) => ({
      class: rating,
      ha: 0,
      relieved_ha: 0,
      limits: [],
      subclasses: [],
    })),
    not_allocable_ha: 0,
    no_data_ha: 0,
  },
};

/** The limits of one sector of a run, by unit. */
export const LandscapeLimits = z
  .object({
    ...countedMembers,
    sector: SectorCode.describe('Code of the node that rates the sector'),
    title: z.string().describe('Title of the node, in the language of the request'),
    relieved: LimitationField.nullable().describe('The factor that `relieved_ha` relieves; null without one'),
    factors: z
      .array(
        z.object({
          factor: LimitationField.describe('Name of the factor, for `relieved`'),
          letter: z.string().length(1).describe('Letter of the subclass, as in the FAO framework'),
          title: z.string().describe('Title of the factor, in the language of the request'),
          inputs: z
            .array(
              z.object({
                group: z.string().describe('Code of the dataset group of a slot or an output'),
                title: z.string().describe('Title of the slot or output, in the language of the request'),
              }),
            )
            .describe('The rated rasters; of several the greatest rating applies'),
        }),
      )
      .describe('All factors that can limit the sector, in the order of the letters'),
    ...landByUnit(landMembers),
  })
  .meta({
    id: 'LandscapeLimits',
    description: 'The limits of a sector, in hectares by class',
    examples: [exampleLimits],
  });
export type LandscapeLimits = z.infer<typeof LandscapeLimits>;
