import { z } from 'zod';
import { AreaLevels } from '../../areas/areas-schema.ts';
import { DatasetStatus } from '../../datasets/schema.ts';
import { Guid } from '../../validation/fields.ts';
import { nodes } from '../graph/graph.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

const exampleClasses = [
  {
    value: 13,
    title: 'V1 crop',
    color: '#e6ab02',
    zones_before: 41,
    zones: 12,
    pixels_ha: 18_250.5,
    polygons_ha: 18_262.25,
    difference_ha: 11.75,
  },
  {
    value: 32,
    title: 'V3 reserve, improvement',
    color: '#bdbdbd',
    zones_before: 18,
    zones: 9,
    pixels_ha: 4_021.25,
    polygons_ha: 4_009.5,
    difference_ha: -11.75,
  },
];

/** Zones of at least 5 ha, cut by district. */
export const examplePolygons = {
  id: '5f7d3e0a-1c44-4b8e-9a35-3f1d6b7c2e91',
  run_id: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  node: zoningCode,
  raster_id: '0b6f5a3e-7c1d-4e2f-8b90-4d5a6c7e8f12',
  min_area_ha: 5,
  by: 'district',
  districts_version: 3,
  state: 'made',
  error: null,
  fitting_min_area_ha: null,
  dataset_id: 'a4c9e7d2-6b13-4f58-b0d7-8e2f1a3c5b64',
  dataset_status: 'ready',
  zones: 21,
  zones_below_minimum: 1,
  positions: 48_210,
  pixels_ha: 22_271.75,
  polygons_ha: 22_271.75,
  classes: exampleClasses,
  created_at: '2026-03-05T10:20:30.456Z',
} as const;

const classNodes = nodes.filter(({ output }) => output.type === 'uint8').map(({ code }) => code);

const minAreaText =
  'Smallest zone, hectares: smaller ones are merged into their neighbours; null leaves all zones as they are';
const byText =
  'The units that zones are cut by: districts, regions, or with `all` districts and, outside of districts, regions; null leaves zones whole';

export const PolygonsInput = z
  .object({
    node: z
      .enum(classNodes)
      .default(zoningCode)
      .describe(
        'The node whose output contains the zones: a node with classes, by default the functional zoning',
      ),
    min_area_ha: z.number().min(1e-6).max(1e6).nullable().default(null).describe(minAreaText),
    by: AreaLevels.nullable().default(null).describe(byText),
  })
  .meta({
    id: 'WantedPolygons',
    description: 'The source and the options of polygons',
    examples: [{ node: zoningCode, min_area_ha: 5, by: 'district' }],
  });
export type PolygonsInput = z.infer<typeof PolygonsInput>;

const count = (text: string) => z.int().min(0).describe(text);
const hectares = (text: string) => z.number().describe(`${text}, hectares`);
const ifMade = '; null until it is made';

const PolygonClass = z
  .object({
    value: z.int().describe('The value of the pixels, `code` in the file'),
    title: z.string().nullable().describe('The label in the legend, in the language of the answer'),
    color: z.string().nullable().describe('Colour of the class on the map, `#rrggbb`'),
    zones_before: count('Contiguous zones before small ones were merged'),
    zones: count('Zones that have polygons'),
    pixels_ha: hectares('Pixels of this class in the raster, each with its area on the ellipsoid'),
    polygons_ha: hectares('Polygons of this class, measured on the ellipsoid'),
    difference_ha: hectares('`polygons_ha` less `pixels_ha`: the gain or loss by merging'),
  })
  .meta({
    id: 'RunPolygonsClass',
    description: 'The zones of one class, before and after',
    examples: [examplePolygons.classes[0]],
  });

export const RunPolygons = z
  .object({
    id: Guid.describe('Id of the polygons'),
    run_id: Guid.describe('The run of the request; runs with the same raster share its polygons'),
    node: PolygonsInput.shape.node.unwrap().describe('The node whose output contains the zones'),
    raster_id: Guid.describe('The raster of the zones'),
    min_area_ha: z.number().nullable().describe(minAreaText),
    by: AreaLevels.nullable().describe(byText),
    districts_version: z
      .int()
      .nullable()
      .describe('The version of the units by which zones are divided; null if they are not divided'),
    state: z
      .enum(['pending', 'made', 'failed'])
      .describe('The state; `pending`: a job makes them; `made`: the dataset exists'),
    error: z.string().nullable().describe('The reason of a failure; null unless `failed`'),
    fitting_min_area_ha: z
      .number()
      .nullable()
      .describe(
        'The `min_area_ha` with which the number of zones is within the limit; null unless there were too many',
      ),
    dataset_id: Guid.nullable().describe(
      `The \`vector\` dataset whose file is the GeoPackage, for \`GET /datasets/{id}/download\`${ifMade}`,
    ),
    dataset_status: DatasetStatus.nullable().describe(`Status of the dataset${ifMade}`),
    zones: z.int().min(0).nullable().describe(`Number of polygons in the file${ifMade}`),
    zones_below_minimum: z
      .int()
      .min(0)
      .nullable()
      .describe(
        `Number of zones that remain smaller than \`min_area_ha\`, as they have no neighbour in the raster or unit${ifMade}`,
      ),
    positions: z.int().min(0).nullable().describe(`Number of positions of all outlines${ifMade}`),
    pixels_ha: z.number().nullable().describe(`Area of all pixels with a class, hectares${ifMade}`),
    polygons_ha: z.number().nullable().describe(`Area of all polygons, hectares${ifMade}`),
    classes: z.array(PolygonClass).nullable().describe(`Classes, ascending${ifMade}`),
    created_at: z.iso.datetime().describe('The time of the first request, UTC'),
  })
  .meta({
    id: 'RunPolygons',
    description: 'Zones of a run as polygons, with their hectares before and after',
    examples: [examplePolygons],
  });
export type RunPolygons = z.infer<typeof RunPolygons>;
