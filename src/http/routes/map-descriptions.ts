import type { FastifyReply, FastifyRequest } from 'fastify';
import { getDatasetGroup } from '../../catalogue/dataset-groups.ts';
import type { MapRaster } from '../../maps/maps.ts';
import { TileJson, tileJsonOf } from '../../maps/tile-json.ts';
import { wmtsCapabilities } from '../../maps/wmts.ts';
import { IdParams } from '../../validation/fields.ts';
import { sendDrawn } from '../files/drawn-response.ts';
import { drawnResponses, errorResponses, jsonResponse } from '../openapi/responses.ts';
import { baseUrlOf } from '../request/base-url.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const tags = ['maps'];
const json = 'application/json; charset=utf-8';
const capabilities = 'application/xml';

const tileJsonResponse = {
  200: jsonResponse('The description', TileJson),
  ...errorResponses(400, 404, 409, 412, 422),
};
const wmtsResponse = drawnResponses('The capabilities', capabilities);

/** Registers what tells other programs where the tiles of a map are. */
export function registerMapDescriptionRoutes(app: App, { db, maps, access }: Services): void {
  app.get('/datasets/:id/tilejson.json', {
    schema: {
      tags,
      operationId: 'getTileJson',
      summary: 'Describe the tiles of a dataset',
      description:
        'TileJSON 3.0.0, for MapLibre, OpenLayers, QGIS and others. The address of the tiles changes with the data and the style, so that clients may keep tiles.',
      params: IdParams,
      response: tileJsonResponse,
    },
    handler: async (request, reply) => {
      const raster = await maps.raster(request.params.id);
      const address = `${baseUrlOf(request, access)}/datasets/${raster.id}`;
      const tiles = `${address}/tiles/{z}/{x}/{y}.png?v=${raster.version}`;
      return await sendTileJson(request, reply, { raster, name: raster.name, address, tiles });
    },
  });

  app.get('/dataset-groups/:id/tilejson.json', {
    schema: {
      tags,
      operationId: 'getGroupTileJson',
      summary: 'Describe the tiles of a group',
      description: 'As of a dataset, for the freshest raster of the group, which the tiles follow.',
      params: IdParams,
      response: tileJsonResponse,
    },
    handler: async (request, reply) => {
      const group = await getDatasetGroup(db, request.params.id);
      const raster = await maps.raster(await maps.memberOf(group.id));
      const address = `${baseUrlOf(request, access)}/dataset-groups/${group.id}`;
      const tiles = `${address}/tiles/{z}/{x}/{y}.png`;
      return await sendTileJson(request, reply, { raster, name: group.name, address, tiles });
    },
  });

  app.get('/datasets/:id/wmts', {
    schema: {
      tags,
      operationId: 'getWmts',
      summary: 'Describe the tiles of a raster as a Web Map Tile Service',
      description:
        'The capabilities of OGC WMTS 1.0.0 with one layer, whose tiles are asked for by their address.',
      params: IdParams,
      response: wmtsResponse,
    },
    handler: async (request, reply) => {
      const raster = await maps.raster(request.params.id);
      const address = `${baseUrlOf(request, access)}/datasets/${raster.id}`;
      const query = `?v=${raster.version}`;
      const { id, name: title } = raster;
      return await sendWmts(request, reply, { raster, id, title, address, query, days: [] });
    },
  });

  app.get('/dataset-groups/:id/wmts', {
    schema: {
      tags,
      operationId: 'getGroupWmts',
      summary: 'Describe the tiles of a group as a Web Map Tile Service',
      description:
        'One layer, the freshest raster of the group; the days for which it has rasters are its dimension `Time`.',
      params: IdParams,
      response: wmtsResponse,
    },
    handler: async (request, reply) => {
      const group = await getDatasetGroup(db, request.params.id);
      const raster = await maps.raster(await maps.memberOf(group.id));
      const address = `${baseUrlOf(request, access)}/dataset-groups/${group.id}`;
      const days = await maps.datesOf(group.id);
      const query = days.length === 0 ? '' : '?time={Time}';
      const { id, name: title } = group;
      return await sendWmts(request, reply, { raster, id, title, address, query, days });
    },
  });

  async function sendTileJson(
    request: FastifyRequest,
    reply: FastifyReply,
    described: Described & { readonly name: string; readonly tiles: string },
  ): Promise<FastifyReply> {
    const { raster, name, address, tiles } = described;
    return await sendDrawn(request, reply, {
      parts: [raster.version, name, tiles],
      draw: async () => {
        const description = tileJsonOf({
          name,
          tiles,
          legend: `${address}/legend.png`,
          bounds: boundsOf(raster),
          zooms: await maps.zoomsOf(raster),
        });
        return { contentType: json, bytes: Buffer.from(JSON.stringify(description)) };
      },
    });
  }

  async function sendWmts(
    request: FastifyRequest,
    reply: FastifyReply,
    described: DescribedLayer,
  ): Promise<FastifyReply> {
    const { raster, id, title, address, query, days } = described;
    return await sendDrawn(request, reply, {
      parts: [raster.version, title, address, days.join()],
      draw: async () => {
        const [, maxZoom] = await maps.zoomsOf(raster);
        const layer = {
          id,
          title,
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
    });
  }
}

interface Described {
  readonly raster: MapRaster;
  /** Of the dataset or the group, without a slash at its end. */
  readonly address: string;
}

/** West, south, east, north in degrees; west > east across 180°. */
function boundsOf({ bbox }: MapRaster): readonly [number, number, number, number] {
  const [west = -180, south = -90, east = 180, north = 90] = bbox ?? [];
  return [west, south, east, north];
}

interface DescribedLayer extends Described {
  readonly id: string;
  readonly title: string;
  /** Of the address of each tile. */
  readonly query: string;
  readonly days: readonly string[];
}
