import { z } from 'zod';
import { AreaLevels, Unit } from '../../areas/areas-schema.ts';
import { Guid } from '../../validation/fields.ts';
import { RecordState } from '../runs/record-schema.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

const ids = {
  a: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  b: '0d5f9c5e-7a51-4a8e-9b35-2f8a4b8f1d06',
  zonesOfA: '4c8e1a7d-25b9-4f03-8d61-e7a0c3b59f12',
  zonesOfB: '9f2d6b30-c814-4e5a-b7f6-1d8a5c0e7b43',
  indexOf2024: '3a71c9e5-80d2-4b6f-9e14-6f5b2d8c0a97',
  indexOf2025: 'b52e8d14-7c6a-4390-a8f1-0e9d4c7b6a35',
} as const;

const hectares = (what: string) => z.number().min(0).describe(`${what}, hectares`);

/** Land by kind of change; the parts add up to the whole. */
const balance = {
  changed_ha: hectares('Where both runs have a class, but different ones'),
  unchanged_ha: hectares('Where both runs have the same class'),
  only_a_ha: hectares('Where run a alone has a class'),
  only_b_ha: hectares('Where run b alone has a class'),
  no_data_ha: hectares('Where neither run has a class'),
};

const RunSide = z.object({
  run_id: Guid.describe('Id of the run'),
  name: z.string().nullable().describe('Name of the run; null without one'),
  state: RecordState.describe('State of the record of the run'),
  created_at: z.iso.datetime().describe('The time of the request for the run, UTC'),
  dataset_id: Guid.describe('Raster of the node that is compared'),
});

const ParamValue = z.union([z.int(), z.array(z.int())]);

const ComparedParam = z.object({
  name: z.string().describe('Name of the parameter'),
  title: z.string().describe('Title of the parameter, in the language of the answer'),
  a: ParamValue.describe('The value in run a'),
  b: ParamValue.describe('The value in run b'),
  matters: z.boolean().describe('False where the compared node does not depend on it'),
});

const RasterOfRun = z.object({
  dataset_id: Guid.describe('The dataset that the run has read; it may have been deleted since'),
  name: z.string().nullable().describe('Name of the dataset; null when it was deleted'),
});

const ComparedInput = z.object({
  group: z.string().describe('Code of a slot, or of an output group that a run has pinned'),
  title: z.string().describe('Title of the slot or group, in the language of the answer'),
  a: RasterOfRun.nullable().describe('The dataset that run a has read; null if it has computed this itself'),
  b: RasterOfRun.nullable().describe('The dataset that run b has read; null if it has computed this itself'),
  matters: z.boolean().describe('False where the compared node does not depend on it'),
});

const ComparedClass = z.object({
  value: z.int().describe('Number of the class'),
  title: z.string().describe('Name of the class, in the language of the answer'),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/)
    .describe('Colour of the class, `#rrggbb`'),
});

const side = z
  .array(z.int().nullable())
  .describe('Classes that either run has, in the order of the legend, then null for land without a class');

const ChangeMatrix = z.object({
  from: side,
  to: side,
  ha: z
    .array(z.array(z.number().min(0)))
    .describe('`ha[i][j]`: land of `from[i]` in run a and of `to[j]` in run b, hectares'),
});

const ComparedUnit = z.object({
  kato: z.string().describe('KATO code'),
  name: z.string().describe('Name in the language of the answer'),
  level: Unit.shape.level,
  area_ha: hectares('Area of the unit'),
  ...balance,
  outside_raster_ha: hectares('Where there is no pixel'),
});

const example = {
  unit: 'ha',
  node: zoningCode,
  title: 'Functional zoning',
  by: 'district',
  districts_version: 3,
  counted_from: 'pixels',
  same_grid: true,
  a: {
    run_id: ids.a,
    name: 'Variant A',
    state: 'adopted',
    created_at: '2026-02-03T10:00:02.113Z',
    dataset_id: ids.zonesOfA,
  },
  b: {
    run_id: ids.b,
    name: 'Variant B, strict',
    state: 'draft',
    created_at: '2026-02-04T08:12:40.501Z',
    dataset_id: ids.zonesOfB,
  },
  graph_version: null,
  params: [{ name: 'v1_min_s_e3', title: 'Threshold of V1 where E is 3', a: 4, b: 5, matters: true }],
  inputs: [
    {
      group: 'landscape-in-ndvi',
      title: 'Vegetation index',
      a: { dataset_id: ids.indexOf2024, name: 'NDVI, summer of 2024' },
      b: { dataset_id: ids.indexOf2025, name: 'NDVI, summer of 2025' },
      matters: true,
    },
  ],
  classes: [
    { value: 13, title: 'V1 crop', color: '#e6ab02' },
    { value: 23, title: 'V2 crop', color: '#ffeda0' },
  ],
  matrix: {
    from: [13, 23, null],
    to: [13, 23, null],
    ha: [
      [20_123.9, 801.2, 0],
      [0, 9340.5, 3.4],
      [0, 0, 12.7],
    ],
  },
  changed_ha: 801.2,
  changed_share: 0.0265,
  unchanged_ha: 29_464.4,
  only_a_ha: 3.4,
  only_b_ha: 0,
  no_data_ha: 12.7,
  units: [
    {
      kato: '111000000',
      name: 'Kokshetau',
      level: 'district',
      area_ha: 30_281.7,
      changed_ha: 801.2,
      unchanged_ha: 29_464.4,
      only_a_ha: 3.4,
      only_b_ha: 0,
      no_data_ha: 12.7,
      outside_raster_ha: 0,
    },
  ],
  rest: { changed_ha: 0, unchanged_ha: 0, only_a_ha: 0, only_b_ha: 0, no_data_ha: 0 },
} as const;

/** The differences between two runs. */
export const RunComparison = z
  .object({
    unit: z.literal('ha').describe('The unit of all areas, which are geodesic, on WGS 84'),
    node: z.string().describe('Code of the node whose rasters are compared'),
    title: z.string().describe('The title of the raster of the node, in the language of the answer'),
    by: AreaLevels.describe('The requested units; `all` has both levels'),
    districts_version: z
      .int()
      .describe('The version of the administrative units; it increases with every change'),
    counted_from: z
      .enum(['pixels', 'balance'])
      .describe(
        'The method: `pixels` counts both rasters; `balance` uses the balance of one zoning, as only thresholds or the order of sectors differ. The figures are the same',
      ),
    same_grid: z.literal(true).describe('Always true: rasters of different grids are refused with 422'),
    a: RunSide.describe('The first run'),
    b: RunSide.describe('The second run'),
    graph_version: z
      .object({
        a: z.int().describe('Version of run a'),
        b: z.int().describe('Version of run b'),
      })
      .nullable()
      .describe('Versions of the graph of the runs; null if they are equal'),
    params: z.array(ComparedParam).describe('Parameters that differ'),
    inputs: z.array(ComparedInput).describe('Inputs that differ, in the order of the graph'),
    classes: z.array(ComparedClass).describe('Classes that either raster has, in the order of the legend'),
    matrix: ChangeMatrix.describe(
      'The whole raster; rows add up to the areas of run a, columns to those of run b',
    ),
    changed_ha: balance.changed_ha,
    changed_share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Share of the land with a class in both runs; null where there is none'),
    unchanged_ha: balance.unchanged_ha,
    only_a_ha: balance.only_a_ha,
    only_b_ha: balance.only_b_ha,
    no_data_ha: balance.no_data_ha,
    units: z.array(ComparedUnit).describe('Units that the raster touches, those with the most change first'),
    rest: z
      .object(balance)
      .describe(
        'Land of the raster outside all units; with `by=all`, outside all regions, or all districts where there are no regions',
      ),
  })
  .meta({ id: 'RunComparison', description: 'The differences between two runs', examples: [example] });
export type RunComparison = z.infer<typeof RunComparison>;
