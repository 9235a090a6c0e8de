import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getDatasetGroup } from '../../catalogue/dataset-groups.ts';
import type { MapRaster, StyledDataset } from '../../maps/service/maps.ts';
import {
  TileJson,
  tileJsonOf,
  vectorTileJson,
  VectorTileJson,
  vectorZooms,
} from '../../maps/formats/tile-json.ts';
import { wmtsCapabilities } from '../../maps/formats/wmts.ts';
import { IdParams } from '../../validation/fields.ts';
import type { DrawnAnswer } from '../files/drawn-response.ts';
import { bytesResponse, drawnResponses, jsonResponse } from '../openapi/responses.ts';
import { baseUrlOf } from '../access/access-policy.ts';
import type { App } from '../request/schemas.ts';
import { untilGone } from '../request/until-gone.ts';
import type { Services } from './services.ts';

const tags = ['maps'];
const json = 'application/json; charset=utf-8';
const capabilities = 'application/xml';

const tileJson = jsonResponse('The description', z.union([TileJson, VectorTileJson]));
const groupTileJson = jsonResponse('The description', TileJson);
const wmts = bytesResponse('The capabilities', capabilities);

/** Registers what tells other programs where the tiles of a map are. */
export function registerMapDescriptionRoutes(
  app: App,
  { db, maps, vectorMaps, access, drawnAnswers }: Services,
): void {
  const send = async (request: FastifyRequest, reply: FastifyReply, lookUp: () => Promise<DrawnAnswer>) =>
    await drawnAnswers.send(request, reply, lookUp, maps.forgetAll);

  async function datasetMap({ request, reply }: Exchange, id: string): Promise<Described> {
    const raster = await maps.raster(id, { signal: untilGone(reply) });
    const address = `${baseUrlOf(request, access)}/datasets/${raster.id}`;
    return { raster, id: raster.id, name: raster.name, address, days: [] };
  }

  async function groupMap({ request, reply }: Exchange, groupId: string): Promise<Described> {
    const { id, name } = await getDatasetGroup(db, groupId);
    const raster = await maps.raster(await maps.memberOf(id), { signal: untilGone(reply) });
    const address = `${baseUrlOf(request, access)}/dataset-groups/${id}`;
    return { raster, id, name, address, days: await maps.datesOf(id) };
  }

  app.get('/datasets/:id/tilejson.json', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getTileJson',
      summary: 'Describe the tiles of a dataset',
      description:
        'TileJSON 3.0.0, for MapLibre, OpenLayers, QGIS and others. The address of the tiles changes with the data and the style, so that clients may keep tiles.',
      params: IdParams,
      response: drawnResponses(tileJson, 400, 404, 409, 422),
    },
    handler: async (request, reply) =>
      await send(request, reply, async () => {
        const dataset = await maps.dataset(request.params.id);
        if (dataset.file_type !== 'raster') return await vectorTileJsonAnswer(request, dataset);
        const map = await datasetMap({ request, reply }, dataset.id);
        return tileJsonAnswer(map, `?v=${map.raster.version}`);
      }),
  });

  app.get('/dataset-groups/:id/tilejson.json', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getGroupTileJson',
      summary: 'Describe the tiles of a group',
      description: 'As of a dataset, for the freshest raster of the group, which the tiles follow.',
      params: IdParams,
      response: drawnResponses(groupTileJson, 400, 404, 422),
    },
    handler: async (request, reply) =>
      await send(request, reply, async () => {
        const map = await groupMap({ request, reply }, request.params.id);
        return tileJsonAnswer(map, '');
      }),
  });

  app.get('/datasets/:id/wmts', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getWmts',
      summary: 'Describe the tiles of a raster as a Web Map Tile Service',
      description:
        'The capabilities of OGC WMTS 1.0.0 with one layer, whose tiles are asked for by their address.',
      params: IdParams,
      response: drawnResponses(wmts, 400, 404, 409, 422),
    },
    handler: async (request, reply) =>
      await send(request, reply, async () => {
        const map = await datasetMap({ request, reply }, request.params.id);
        return wmtsAnswer(map, `?v=${map.raster.version}`);
      }),
  });

  app.get('/dataset-groups/:id/wmts', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getGroupWmts',
      summary: 'Describe the tiles of a group as a Web Map Tile Service',
      description:
        'One layer, the freshest raster of the group; the days for which it has rasters are its dimension `Time`.',
      params: IdParams,
      response: drawnResponses(wmts, 400, 404, 422),
    },
    handler: async (request, reply) =>
      await send(request, reply, async () => {
        const map = await groupMap({ request, reply }, request.params.id);
        return wmtsAnswer(map, map.days.length === 0 ? '' : '?time={Time}');
      }),
  });

  async function vectorTileJsonAnswer(request: FastifyRequest, dataset: StyledDataset): Promise<DrawnAnswer> {
    const map = await vectorMaps.ofDataset(dataset);
    const address = `${baseUrlOf(request, access)}/datasets/${dataset.id}`;
    const tilesUrl = `${address}/tiles/{z}/{x}/{y}.mvt?v=${map.version}`;
    return {
      parts: [map.version, dataset.name, tilesUrl],
      draw: async () => {
        const { bounds, fields } = await vectorMaps.factsOf(map);
        const layers = [{ id: dataset.id, fields }];
        const described = { name: dataset.name, tilesUrl, layers, zooms: vectorZooms, bounds };
        return { contentType: json, bytes: Buffer.from(JSON.stringify(vectorTileJson(described))) };
      },
    };
  }

  function tileJsonAnswer({ raster, name, address }: Described, query: string): DrawnAnswer {
    const tiles = `${address}/tiles/{z}/{x}/{y}.png${query}`;
    return {
      parts: [raster.version, name, tiles],
      draw: async () => {
        const legend = `${address}/legend.png`;
        const zooms = await maps.zoomsOf(raster);
        const description = tileJsonOf({ name, tiles, legend, bounds: boundsOf(raster), zooms });
        return { contentType: json, bytes: Buffer.from(JSON.stringify(description)) };
      },
    };
  }

  function wmtsAnswer({ raster, id, name, address, days }: Described, query: string): DrawnAnswer {
    return {
      parts: [raster.version, name, raster.unit, address, days.join()],
      draw: async () => {
        const [, maxZoom] = await maps.zoomsOf(raster);
        const layer = {
          id,
          title: name,
          abstract: raster.unit ?? '',
          url: `${address}/wmts`,
          tiles: `${address}/tiles/{TileMatrix}/{TileCol}/{TileRow}.png${query}`,
          legend: `${address}/legend.png`,
          bounds: boundsOf(raster),
          maxZoom,
          days,
        };
        return { contentType: capabilities, bytes: Buffer.from(wmtsCapabilities(layer)) };
      },
    };
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A dataset or a group whose tiles are described. */
interface Described {
  readonly raster: MapRaster;
  readonly id: string;
  readonly name: string;
  /** Without a slash at its end. */
  readonly address: string;
  /** The days for which a group has rasters. */
  readonly days: readonly string[];
}

/** West, south, east, north in degrees; west > east across 180°. */
export function boundsOf({ bbox }: MapRaster): readonly [number, number, number, number] {
  const [west = -180, south = -90, east = 180, north = 90] = bbox ?? [];
  return [west, south, east, north];
}
