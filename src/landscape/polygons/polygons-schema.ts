import { z } from 'zod';
import { AreaLevels } from '../../areas/areas-schema.ts';
import { DatasetStatus } from '../../datasets/schema.ts';
import { Guid } from '../../validation/fields.ts';
import { nodes } from '../graph/graph.ts';
import { examplePolygons } from './examples.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

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
