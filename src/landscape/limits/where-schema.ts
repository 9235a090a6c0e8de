import { z } from 'zod';
import { Guid } from '../../validation/fields.ts';

const Hectares = z.number().nonnegative();

const figures = {
  area_ha: Hectares.describe('Geodesic area on WGS 84: the sum of all below'),
  meets_ha: Hectares.describe('Where all conditions are met'),
  fails_ha: Hectares.describe('Where a condition is not met'),
  no_data_ha: Hectares.describe('Where no condition fails and a raster of one has no value'),
  outside_raster_ha: Hectares.describe('Beyond the grid of the run'),
};

const exampleFigures = {
  area_ha: 719_843.21,
  meets_ha: 120_411.75,
  fails_ha: 597_206.46,
  no_data_ha: 2_225,
  outside_raster_ha: 0,
};

const exampleWhere = {
  run_id: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  conditions: '01<5;23>=4;26<=3',
  parts: [
    { group: 'landscape-01-slope', title: 'Slope, percent', unit: 'percent', comparison: '<', value: 5 },
    {
      group: 'landscape-23-crop',
      title: 'Suitability: rain-fed crop',
      unit: null,
      comparison: '>=',
      value: 4,
    },
    {
      group: 'landscape-26-sensitivity',
      title: 'Ecological sensitivity E',
      unit: null,
      comparison: '<=',
      value: 3,
    },
  ],
  by: 'district',
  districts_version: 3,
  unit: 'ha',
  total: exampleFigures,
  units: [{ kato: '111000000', name: 'Kokshetau', ...exampleFigures }],
  outside_units_ha: 0,
};

/** Where a run meets conditions, by units. */
export const LandscapeWhere = z
  .object({
    run_id: Guid.describe('The run'),
    conditions: z.string().describe('The conditions in their one normal form'),
    parts: z
      .array(
        z.object({
          group: z.string().describe('Code of the dataset group of the slot or the node'),
          title: z.string().describe('In the language of the request'),
          unit: z.string().nullable().describe('Of the value; null without one'),
          comparison: z.enum(['<', '<=', '=', '!=', '>=', '>']).describe('How the raster compares with it'),
          value: z.number().describe('As the raster stores it'),
        }),
      )
      .describe('The conditions one by one, in their normal order'),
    by: z.enum(['district', 'region', 'all']).describe('The units of `units`'),
    unit: z.literal('ha').describe('Of all areas'),
    districts_version: z.int().nullable().describe('Version of the administrative units; null with `by=all`'),
    total: z.object(figures).describe('The whole grid of the run'),
    units: z
      .array(
        z.object({
          kato: z.string().describe('Code of the unit, as text'),
          name: z.string().describe('Name of the unit'),
          ...figures,
        }),
      )
      .describe('By code; empty with `by=all`'),
    outside_units_ha: Hectares.describe('Area of the grid in no unit; 0 with `by=all`'),
  })
  .meta({
    id: 'LandscapeWhere',
    description: 'Where conditions on slots and nodes are met, in hectares',
    examples: [exampleWhere],
  });
export type LandscapeWhere = z.infer<typeof LandscapeWhere>;
