import { sendText } from '../http/answer/answer.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { matrixSet, webMercatorQuad } from '../maps/formats/tile-matrix-set.ts';
import { absoluteBase, standardAnswers, mediaTypes } from '../http/standards/answers.ts';
import { standardErrors, standardProgramErrors } from '../http/openapi/standards.ts';
import { standardQuery } from '../http/standards/parameters.ts';
import type { App } from '../http/request/schemas.ts';
import { untilGone } from '../http/request/until-gone.ts';
import { CollectionParams, deletedMeanwhile } from './collection-routes.ts';
import {
  type TileKind,
  tileKinds,
  TileMatrixSetJson,
  TileMatrixSetsJson,
  TilesetJson,
  tilesetOf,
  type Tileset,
  TilesetsJson,
  tilesetsOf,
} from './tile-schemas.ts';
import type { TileSources } from './tile-sources.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const tags = ['features'];
const querystring = standardQuery({});
const type = mediaTypes.json;

const documented = {
  vector: {
    names: ['VectorTilesets', 'VectorTileset'],
    what: 'vector tiles',
    more: 'Of districts and regions, vectors, and tables by KATO.',
  },
  map: { names: ['MapTilesets', 'MapTileset'], what: 'map tiles', more: 'Of rasters.' },
} as const;

/** Registers the tile matrix set and the tilesets of collections. */
export function registerOgcTilesetRoutes(
  app: App,
  sources: TileSources,
  { access }: { readonly access: AccessPolicy },
): void {
  app.get('/ogc/tileMatrixSets', {
    config: { scope: 'data:read', standardOperationId: 'getTileMatrixSetsList' },
    schema: {
      tags,
      operationId: 'listTileMatrixSets',
      summary: 'List tile matrix sets',
      description: 'All tiles use WebMercatorQuad.',
      querystring,
      response: { ...standardAnswers('The list', TileMatrixSetsJson), ...standardProgramErrors(400, 503) },
    },
    handler: async (request, reply) => {
      const self = `${absoluteBase(request, access)}/ogc/tileMatrixSets`;
      const { id, title, uri, crs } = webMercatorQuad();
      const links = [{ rel: 'self', href: `${self}/${id}`, type }];
      const body = {
        tileMatrixSets: [{ id, title, uri, crs, links }],
        links: [{ rel: 'self', href: self, type }],
      };
      return await sendText(request, reply, { body, type });
    },
  });

  app.get(`/ogc/tileMatrixSets/${matrixSet.id}`, {
    config: { scope: 'data:read', standardOperationId: 'getTileMatrixSet' },
    schema: {
      tags,
      operationId: 'getTileMatrixSet',
      summary: 'Read the tile matrix set WebMercatorQuad',
      description: 'Zoom levels 0 to 24, as in the OGC register.',
      querystring,
      response: {
        ...standardAnswers('The definition', TileMatrixSetJson),
        ...standardProgramErrors(400, 503),
      },
    },
    handler: async (request, reply) => await sendText(request, reply, { body: webMercatorQuad(), type }),
  });

  for (const kind of ['vector', 'map'] as const) {
    const { names, what, more } = documented[kind];
    const path = `/ogc/collections/:collectionId/${tileKinds[kind].path}`;
    const own = `collection.${kind}`;
    for (const { below, schema, standardOperationId, ...operation } of [
      {
        below: '',
        operationId: `list${names[0]}`,
        summary: `List the tilesets of ${what} of a collection`,
        standardOperationId: `${own}.getTileSetsList`,
        schema: TilesetsJson,
        bodyOf: tilesetsOf,
      },
      {
        below: `/${matrixSet.id}`,
        operationId: `get${names[1]}`,
        summary: `Read about the ${what} of a collection`,
        standardOperationId: `${own}.getTileSet`,
        schema: TilesetJson,
        bodyOf: tilesetOf,
      },
    ]) {
      const { bodyOf, operationId, summary } = operation;
      app.get(`${path}${below}`, {
        config: { scope: 'data:read', standardOperationId },
        schema: {
          tags,
          operationId,
          summary,
          description: `${more} The template of their address changes with the data and the style, so that clients may keep tiles.`,
          params: CollectionParams,
          querystring,
          response: { ...standardAnswers('The description', schema), ...standardErrors(400, 404, 409, 422) },
        },
        handler: async (request, reply) => {
          const { collectionId } = request.params;
          return await sendTileset({ request, reply, kind, collectionId }, bodyOf);
        },
      });
    }
  }

  async function sendTileset(
    { request, reply, kind, collectionId }: Asked,
    bodyOf: (tileset: Tileset, root: string) => z.infer<typeof TilesetsJson | typeof TilesetJson>,
  ): Promise<FastifyReply> {
    const find = async () =>
      kind === 'map'
        ? await sources.map(collectionId, { signal: untilGone(reply) })
        : await sources.vector(collectionId);
    const { tileJsonPath, ...tileset } = await find().catch(deletedMeanwhile);
    const base = absoluteBase(request, access);
    const tileJson = tileJsonPath === undefined ? undefined : `${base}/${tileJsonPath}`;
    return await sendText(request, reply, { body: bodyOf({ ...tileset, tileJson }, `${base}/ogc`), type });
  }
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly kind: TileKind;
  readonly collectionId: string;
}
