import { z } from 'zod';
import { getDatasetGroup } from '../../catalogue/dataset-groups.ts';
import type { MapRaster, StyledDataset } from '../../maps/service/maps.ts';
import { rulesWithoutProperty } from '../../maps/service/style-properties.ts';
import { vectorZooms } from '../../maps/formats/tile-json.ts';
import {
  type MapLibreStyle,
  rasterStyle,
  type SaidStyle,
  type StyledVectorTiles,
  unitStyle,
  unitStyleByRules,
  vectorStyle,
} from '../../maps/formats/maplibre/style.ts';
import { layerStyleOf } from '../../maps/style/sld-read.ts';
import { areaRules } from '../../maps/units/unit-paint.ts';
import { IdParams } from '../../validation/fields.ts';
import { baseUrlOf } from '../access/access-policy.ts';
import type { DrawnAnswer } from '../files/drawn-response.ts';
import { leftOutHeaders } from '../files/content-headers.ts';
import { drawnResponses, jsonResponse } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import { untilGone } from '../request/until-gone.ts';
import { boundsOf } from './map-descriptions.ts';
import type { Services } from './services.ts';

const json = 'application/json; charset=utf-8';

const Style = z
  .looseObject({
    version: z.literal(8).describe('The version of the specification'),
    name: z.string().describe('What people call the map'),
    sources: z.record(z.string(), z.unknown()).describe('Where the tiles are'),
    layers: z.array(z.unknown()).describe('What is drawn of them, from the bottom to the top'),
  })
  .meta({
    id: 'MapLibreStyle',
    description: 'A style of MapLibre (maplibre.org/maplibre-style-spec)',
    examples: [
      {
        version: 8,
        name: 'Functional zoning',
        sources: { data: { type: 'raster', tileSize: 256, minzoom: 4, maxzoom: 13 } },
        layers: [{ id: 'raster', type: 'raster', source: 'data', paint: { 'raster-resampling': 'nearest' } }],
      },
    ],
  });

const schema = { tags: ['maps'], params: IdParams };
const mapStyle = jsonResponse('The style', Style);

/** Registers maps as whole styles of MapLibre: tiles and how they are drawn. */
export function registerMapStyleRoutes(
  app: App,
  { db, maps, vectorMaps, access, drawnAnswers }: Services,
): void {
  app.get('/datasets/:id/style.json', {
    config: { scope: 'data:read' },
    schema: {
      ...schema,
      operationId: 'getMapStyle',
      summary: 'Read a map of a dataset as a style of MapLibre',
      description:
        'A source with its tiles, and layers by the rules of the SLD; of a `vector_with_kato` the classes of the latest date. `X-Style-Left-Out` names what MapLibre has no words for.',
      response: drawnResponses(mapStyle, 400, 404, 409, 422),
    },
    handler: async (request, reply) => {
      const address = `${baseUrlOf(request, access)}/datasets/${request.params.id}`;
      const answer = async (): Promise<DrawnAnswer> => {
        const dataset = await maps.dataset(request.params.id);
        return dataset.file_type === 'raster'
          ? rasterAnswer(await maps.raster(dataset.id, { signal: untilGone(reply) }), dataset.name, address)
          : await vectorAnswer(dataset, address);
      };
      return await drawnAnswers.send(request, reply, answer, maps.forgetAll);
    },
  });

  app.get('/dataset-groups/:id/style.json', {
    config: { scope: 'data:read' },
    schema: {
      ...schema,
      operationId: 'getGroupMapStyle',
      summary: 'Read a map of a group as a style of MapLibre',
      description: 'The tiles of the freshest raster of the group, which they follow.',
      response: drawnResponses(mapStyle, 400, 404, 422),
    },
    handler: async (request, reply) => {
      const { id, name } = await getDatasetGroup(db, request.params.id);
      const address = `${baseUrlOf(request, access)}/dataset-groups/${id}`;
      const wait = { signal: untilGone(reply) };
      const answer = async () =>
        rasterAnswer(await maps.raster(await maps.memberOf(id), wait), name, address);
      return await drawnAnswers.send(request, reply, answer, maps.forgetAll);
    },
  });

  /** The tiles of a group follow its freshest raster, so that their address names no version. */
  function rasterAnswer(raster: MapRaster, name: string, address: string): DrawnAnswer {
    const isOfGroup = !address.endsWith(raster.id);
    const tilesUrl = `${address}/tiles/{z}/{x}/{y}.png${isOfGroup ? '' : `?v=${raster.version}`}`;
    return {
      parts: [raster.version, name, tilesUrl],
      headers: leftOutHeaders(raster.style?.style.leftOut),
      draw: async () => {
        const zooms = await maps.zoomsOf(raster);
        return bodyOf(rasterStyle({ name, tilesUrl, zooms, bounds: boundsOf(raster) }));
      },
    };
  }

  async function vectorAnswer(dataset: StyledDataset, address: string): Promise<DrawnAnswer> {
    const map = await vectorMaps.ofDataset(dataset);
    const { bounds } = await vectorMaps.factsOf(map);
    const tilesUrl = `${address}/tiles/{z}/{x}/{y}.mvt?v=${map.version}`;
    const { id: layer, name } = dataset;
    const { style, leftOut } = await styleOf(dataset, { name, layer, tilesUrl, zooms: vectorZooms, bounds });
    const missing = await rulesWithoutProperty(dataset, vectorMaps);
    const own: readonly string[] = [
      ...(dataset.style?.style.leftOut ?? []),
      ...(missing.length === 0 ? [] : ['missing_properties']),
    ];
    return {
      parts: [map.version, dataset.sld_key, name, tilesUrl, dataset.year_columns],
      headers: leftOutHeaders([...new Set([...own, ...leftOut])]),
      draw: async () => bodyOf(style),
    };
  }

  async function styleOf(dataset: StyledDataset, tiles: StyledVectorTiles): Promise<SaidStyle> {
    const rules = dataset.style === undefined ? [] : layerStyleOf(dataset.style.style).rules;
    if (dataset.file_type === 'vector') return vectorStyle(tiles, rules);
    if (areaRules(rules).length > 0) return unitStyleByRules(tiles, rules);
    const legend = await maps.unitsLegend(dataset);
    return { style: unitStyle(tiles, legend.kind === 'classes' ? legend.entries : []), leftOut: [] };
  }
}

function bodyOf(style: MapLibreStyle) {
  return { contentType: json, bytes: Buffer.from(JSON.stringify(style)) };
}
