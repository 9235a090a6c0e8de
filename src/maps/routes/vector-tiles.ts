import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { VectorMap, VectorMaps } from '../service/vector-maps.ts';
import { VectorTileJson, vectorTileJson } from '../formats/tile-json.ts';
import type { Tile } from '../../../common/maps/raster/web-mercator.ts';
import { CalendarDate, Guid } from '../../validation/fields.ts';
import { chooseEncoding } from '../../http/files/content-headers.ts';
import { type DrawnAnswer, type DrawnAnswers, jsonBody } from '../../http/answer/drawn.ts';
import { bytesResponse, drawnResponses, jsonResponse } from '../../http/openapi/responses.ts';
import { baseUrlOf } from '../../http/access/own-addresses.ts';
import type { App } from '../../http/request/schemas.ts';
import { RateQuery } from '../../http/request/rate-query.ts';
import { tileOf, vectorTileParams } from '../../http/request/tile-params.ts';
import { lastingOf } from './raster-tiles.ts';
import type { Rates } from '../../tables/rates/rate-series.ts';
import type { Maps } from '../service/maps.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { AccessPolicy } from '../../http/access/access-policy.ts';

const mvt = 'application/vnd.mapbox-vector-tile';
/** Higher levels take more time for little gain. */
const gzipLevel = 5;
/** At the last zoom, a pixel is a hundred metres, the rounding of the borders. */
export const districtZooms = [0, 11] as const;

const Version = z.string().optional().describe('Version from TileJSON: caches may keep such a tile forever');
const DatasetQuery = z.object({
  datetime: CalendarDate.optional().describe(
    'For a `vector_with_kato`: the first day of a period; features have its `value` instead of one attribute for each date',
  ),
  ...RateQuery.shape,
  v: Version,
});

const cutTile = bytesResponse('The tile', mvt);

const datasetDescription = `Mapbox Vector Tile 2.1 in WebMercatorQuad, extent 4096, in gzip for clients that accept it. One layer, whose name is the id of
the dataset. A raster is answered with 422, a dataset that is not \`ready\` with 409; an empty tile has no bytes.

- For a \`vector\`: its dissolved feature. Attributes are the texts, numbers and booleans of the only row; with several rows it has none.
- For a \`vector_with_kato\`: a feature for each unit with \`kato\`, \`name\` and an attribute for each date, the latest 30 of them; with
  \`datetime\` only \`value\`. Ids of features are the codes. With \`rate=1\` these are rates, as in the series; a unit without a rate has no \`value\`.

At most 32 attributes, texts of at most 256 characters, numbers beyond 2⁵² as text. A tile has at most 250,000 vertices and 500 kB: the smallest
parts are omitted first. \`X-Tile-Thinned: true\` marks such a tile, and tiles of a source with more than a million positions.`;

const districtsDescription = `Two layers, \`regions\` and \`districts\`, and one for each other level that has borders (\`okrugs\`, \`settlements\`,
\`republic\`), with the attributes of \`GET /districts.geojson?detail=fine\`, from which they are cut.
Ids of features are the codes, so that a map can join values to them. Otherwise like the tiles of a dataset.`;

interface Dependencies {
  readonly rates: Rates;
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
  readonly access: AccessPolicy;
}

/** Registers the tiles of vectors, of tables by KATO and of the administrative units. */
export function registerVectorTileRoutes(app: App, parts: Dependencies): void {
  const { maps, vectorMaps, rates, access, drawnAnswers } = parts;
  const sendTile = createVectorTileSender(parts);

  app.get('/datasets/:id/tiles/:z/:x/:y.mvt', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['maps'],
      operationId: 'getVectorTile',
      summary: 'Cut a tile of a vector or of a table by KATO',
      description: datasetDescription,
      params: z.object({
        id: Guid.describe('Id of the dataset, a UUID in upper or lower case'),
        ...vectorTileParams,
      }),
      querystring: DatasetQuery,
      response: drawnResponses(cutTile, 400, 404, 409, 422, 429),
    },
    handler: async (request, reply) => {
      const tile = tileOf(request.params, request.url);
      const { datetime, rate, v: version } = request.query;
      const { id } = request.params;
      const lookUp = async () => {
        const map = await vectorMaps.ofDataset(await maps.dataset(id));
        if (rate === undefined || !map.hasDates) return map;
        const { version, byCode } = await rates.of(id);
        return { ...map, version: `${map.version}-${hash('sha256', version).slice(0, 16)}`, byCode };
      };
      return await sendTile(request, reply, { lookUp, tile, datetime, version });
    },
  });

  app.get('/districts/tiles/:z/:x/:y.mvt', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'getDistrictTile',
      summary: 'Cut a tile of the administrative units',
      description: districtsDescription,
      params: z.object(vectorTileParams),
      querystring: z.object({ v: Version }),
      response: drawnResponses(cutTile, 400, 404, 429),
    },
    handler: async (request, reply) => {
      const tile = tileOf(request.params, request.url);
      return await sendTile(request, reply, {
        lookUp: vectorMaps.ofDistricts,
        tile,
        datetime: undefined,
        version: request.query.v,
      });
    },
  });

  app.get('/districts/tilejson.json', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['districts'],
      operationId: 'getDistrictTileJson',
      summary: 'Describe the tiles of the administrative units',
      description:
        'TileJSON 3.0.0. The address of the tiles changes with the units, so clients may keep tiles.',
      response: drawnResponses(jsonResponse('The description', VectorTileJson)),
    },
    handler: async (request, reply) => {
      return await drawnAnswers.send(request, reply, async () => {
        const { version, layers } = await vectorMaps.ofDistricts();
        const names = layers.map(({ name }) => name);
        const tilesUrl = `${baseUrlOf(request, access)}/districts/tiles/{z}/{x}/{y}.mvt?v=${version}`;
        return { parts: [tilesUrl], draw: async () => jsonBody(districtTileJson(tilesUrl, names)) };
      });
    },
  });
}

type RatesOfMap = Awaited<ReturnType<Rates['of']>>['byCode'];
interface AskedTile {
  /** Finds the current source of the tile. */
  readonly lookUp: () => Promise<VectorMap & { readonly byCode?: RatesOfMap }>;
  readonly tile: Tile;
  readonly datetime: string | undefined;
  /** Version of the map that the client knows. */
  readonly version: string | undefined;
}

/** Creates the sender of vector tiles. */
export function createVectorTileSender({
  maps,
  vectorMaps,
  tileBudget: budget,
  access,
  drawnAnswers,
}: Omit<Dependencies, 'rates'>) {
  const lasting = lastingOf(access);
  return async function sendTile(
    request: FastifyRequest,
    reply: FastifyReply,
    { lookUp, tile, datetime: asked, version }: AskedTile,
  ): Promise<FastifyReply> {
    const encoding = chooseEncoding(request.headers['accept-encoding'], ['gzip']);
    const answer = async (): Promise<DrawnAnswer> => {
      const map = await lookUp();
      const datetime = map.hasDates ? asked : undefined;
      return {
        parts: [map.version, tile.z, tile.x, tile.y, datetime ?? null, encoding ?? null],
        lasting: version === map.version ? lasting : undefined,
        headers: { vary: 'Accept-Encoding' },
        budget,
        async draw(signal) {
          const asked = { tile, datetime, rates: await map.byCode?.(datetime) };
          const { bytes, isThinned } = await vectorMaps.tile(map, asked, signal);
          const headers = isThinned ? { 'x-tile-thinned': 'true' } : {};
          if (encoding === undefined || bytes.length === 0) return { contentType: mvt, bytes, headers };
          const zipped = await promisify(gzip)(bytes, { level: gzipLevel });
          return { contentType: mvt, bytes: zipped, headers: { ...headers, 'content-encoding': encoding } };
        },
      };
    };
    return await drawnAnswers.send(request, reply, answer, maps.forgetAll);
  };
}

function districtTileJson(tilesUrl: string, layers: readonly string[]) {
  const fields = {
    kato: 'String',
    name: 'String',
    name_kk: 'String',
    name_en: 'String',
    level: 'String',
  } as const;
  return vectorTileJson({
    name: 'KATO',
    tilesUrl,
    layers: layers.map((id) => ({ id, fields })),
    zooms: districtZooms,
  });
}
