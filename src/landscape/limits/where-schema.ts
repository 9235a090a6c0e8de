import { exampleUnit } from '../../areas/examples.ts';
import { z } from 'zod';
import { countedMembers } from '../balance/balance-schema.ts';
import { Hectares, landByUnit } from './land-schema.ts';

const landMembers = {
  meets_ha: Hectares.describe('Area where all conditions are met'),
  fails_ha: Hectares.describe('Area where a condition is not met'),
  no_data_ha: Hectares.describe('Area where no condition fails, but a raster of one has no value'),
};

const exampleLand = {
  meets_ha: 120_411.75,
  fails_ha: 597_206.46,
  no_data_ha: 2_225,
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
  method: { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false },
  units: [
    {
      ...exampleUnit,
      area_ha: 719_855.92,
      outside_raster_ha: 12.71,
      ...exampleLand,
    },
  ],
  raster: { area_ha: 719_843.21, ...exampleLand },
  outside_units: { area_ha: 0, meets_ha: 0, fails_ha: 0, no_data_ha: 0 },
};

/** The places of a run that meet conditions, by unit. */
export const LandscapeWhere = z
  .object({
    ...countedMembers,
    conditions: z.string().describe('The conditions in their normal form'),
    parts: z
      .array(
        z.object({
          group: z.string().describe('Code of the dataset group of the slot or the node'),
          title: z.string().describe('Title in the language of the request'),
          unit: z.string().nullable().describe('Unit of the value; null without one'),
          comparison: z
            .enum(['<', '<=', '=', '!=', '>=', '>'])
            .describe('The comparison of the raster with the value'),
          value: z.number().describe('The value, as the raster stores it'),
        }),
      )
      .describe('The conditions one by one, in their normal order'),
    ...landByUnit(landMembers),
  })
  .meta({
    id: 'LandscapeWhere',
    description: 'Where conditions on slots and nodes are met, in hectares',
    examples: [exampleWhere],
  });
export type LandscapeWhere = z.infer<typeof LandscapeWhere>;
