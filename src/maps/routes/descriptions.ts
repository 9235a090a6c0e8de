import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getDatasetGroup } from '../../catalogue/dataset-groups.ts';
import {
  rasterStyle,
  type SaidStyle,
  type StyledVectorTiles,
  unitStyle,
  unitStyleByRules,
  vectorStyle,
  MapLibreStyleJson,
} from '../formats/maplibre/style.ts';
import { TileJson, tileJsonOf, vectorTileJson, VectorTileJson, vectorZooms } from '../formats/tile-json.ts';
import { wmtsCapabilities } from '../formats/wmts.ts';
import type { MapRaster, StyledDataset, Maps } from '../service/maps.ts';
import { wordNames } from '../service/map-words.ts';
import { rulesWithoutProperty } from '../styles/style-properties.ts';
import { layerStyleOf } from '../../../common/maps/style/sld-read.ts';
import { areaRules } from '../../../common/maps/units/unit-paint.ts';
import { IdParams } from '../../validation/fields.ts';
import { type DrawnAnswer, type DrawnAnswers, jsonBody } from '../../http/answer/drawn.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { bytesResponse, drawnResponses, jsonResponse } from '../../http/openapi/responses.ts';
import { baseUrlOf } from '../../http/access/own-addresses.ts';
import { leftOutHeaders } from '../../http/files/content-headers.ts';
import type { App } from '../../http/request/schemas.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { VectorMaps } from '../service/vector-maps.ts';
import type { AccessPolicy } from '../../http/access/access-policy.ts';
import { drawingProblems } from '../../messages/drawing/english.ts';

const capabilities = 'application/xml';

const groupTileJson = jsonResponse('The description', TileJson);
const tileJson = jsonResponse('The description', z.union([TileJson, VectorTileJson]));
const tileElsewhere = z.null().describe('The tile of `GetTile` is at `Location`');
const wmts = bytesResponse('The capabilities', capabilities);
const mapStyle = jsonResponse('The style', MapLibreStyleJson);
const ofDataset = [400, 404, 409, 422] as const;
const ofGroup = [400, 404, 422] as const;

interface Dependencies {
  readonly db: Database;
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly drawnAnswers: DrawnAnswers;
  readonly access: AccessPolicy;
}

/** Registers the descriptions of map tiles and styles for other programs. */
export function registerMapDescriptionRoutes(
  app: App,
  { db, maps, vectorMaps, access, drawnAnswers }: Dependencies,
): void {
  const addressOf = (request: FastifyRequest, path: string) => `${baseUrlOf(request, access)}/${path}`;

  async function datasetMap({ request, reply, id, lang }: Asked): Promise<RasterMap> {
    const language = answerIn(request, reply);
    const raster = await maps.raster(id, { signal: untilGone(reply) });
    const address = addressOf(request, `datasets/${raster.id}`);
    const words = wordsOf(raster, raster.name, language);
    const query = `?v=${raster.version}`;
    return { raster, id: raster.id, ...words, address, query, language, lang, days: [] };
  }

  /** The tiles of a group follow its freshest raster, so that their address contains no version. */
  async function groupMap({ request, reply, id: groupId, lang }: Asked): Promise<RasterMap> {
    const language = answerIn(request, reply);
    const { id, name } = await getDatasetGroup(db, groupId);
    const wait = { signal: untilGone(reply) };
    const raster = await maps.ofMember(id, undefined, async (member) => await maps.raster(member, wait));
    const address = addressOf(request, `dataset-groups/${id}`);
    const [words, days] = [wordsOf(raster, name, language), await maps.datesOf(id)];
    return { raster, id, ...words, address, query: '', language, lang, days };
  }

  const wordsOf = (raster: MapRaster, name: string, language: Language) =>
    wordNames(raster, name, maps.findWords(raster.group_code, language));

  const anyDataset =
    (ofRaster: (map: RasterMap) => DrawnAnswer, ofVector: (map: VectorMap) => Promise<DrawnAnswer>) =>
    async (asked: Asked): Promise<DrawnAnswer> => {
      const dataset = await maps.dataset(asked.id);
      if (dataset.file_type === 'raster') return ofRaster(await datasetMap({ ...asked, id: dataset.id }));
      const tiles = await vectorMaps.ofDataset(dataset);
      const address = addressOf(asked.request, `datasets/${dataset.id}/tiles/{z}/{x}/{y}.mvt`);
      return await ofVector({ dataset, tiles, tilesUrl: `${address}?v=${tiles.version}` });
    };

  for (const { path, find, ...documented } of [
    {
      path: '/datasets/:id/tilejson.json',
      operationId: 'getTileJson',
      summary: 'Describe the tiles of a dataset',
      description:
        'TileJSON 3.0.0, for MapLibre, OpenLayers, QGIS and others. The address of the tiles changes with the data and the style, so that clients may keep tiles.',
      response: drawnResponses(tileJson, ...ofDataset),
      find: anyDataset(tileJsonAnswer, vectorTileJsonAnswer),
    },
    {
      path: '/dataset-groups/:id/tilejson.json',
      operationId: 'getGroupTileJson',
      summary: 'Describe the tiles of a group',
      description: 'As for a dataset, for the freshest raster of the group; the tiles change with it.',
      response: drawnResponses(groupTileJson, ...ofGroup),
      find: async (asked: Asked) => tileJsonAnswer(await groupMap(asked)),
    },
    {
      path: '/datasets/:id/wmts',
      operationId: 'getWmts',
      summary: 'Describe the tiles of a raster as a Web Map Tile Service',
      description:
        'The capabilities of OGC WMTS 1.0.0 with one layer, whose tiles have RESTful addresses; `GetTile` by keys and values redirects to them.',
      response: { ...drawnResponses(wmts, ...ofDataset), 302: tileElsewhere },
      find: async (asked: Asked) => wmtsAnswer(await datasetMap(asked)),
    },
    {
      path: '/dataset-groups/:id/wmts',
      operationId: 'getGroupWmts',
      summary: 'Describe the tiles of a group as a Web Map Tile Service',
      description:
        'One layer, the freshest raster of the group; the days for which it has rasters are its dimension `Time`.',
      response: { ...drawnResponses(wmts, ...ofGroup), 302: tileElsewhere },
      find: async (asked: Asked) => wmtsAnswer(await groupMap(asked)),
    },
    {
      path: '/datasets/:id/style.json',
      operationId: 'getMapStyle',
      summary: 'Read a map of a dataset as a style of MapLibre',
      description:
        'A source with its tiles, and layers by the rules of the SLD; for a `vector_with_kato` the classes of the latest date. `X-Style-Left-Out` names the parts that MapLibre cannot express.',
      response: drawnResponses(mapStyle, ...ofDataset),
      find: anyDataset(styleAnswer, vectorStyleAnswer),
    },
    {
      path: '/dataset-groups/:id/style.json',
      operationId: 'getGroupMapStyle',
      summary: 'Read a map of a group as a style of MapLibre',
      description: 'The tiles of the freshest raster of the group; they change with it.',
      response: drawnResponses(mapStyle, ...ofGroup),
      find: async (asked: Asked) => styleAnswer(await groupMap(asked)),
    },
  ]) {
    app.get(path, {
      config: { scope: 'data:read' },
      ...(path.endsWith('/wmts') ? { preHandler: leadToTile } : {}),
      schema: { tags: ['maps'], params: IdParams, querystring: LanguageQuery, ...documented },
      handler: async (request, reply) => {
        const { params, query } = request;
        const asked = {
          request,
          reply,
          id: params.id,
          lang: query.lang === undefined ? '' : `?lang=${query.lang}`,
        };
        return await drawnAnswers.send(request, reply, async () => await find(asked), maps.forgetAll);
      },
    });
  }

  function tileJsonAnswer({ raster, name, address, query, language, lang }: RasterMap): DrawnAnswer {
    const tiles = `${address}/tiles/{z}/{x}/{y}.png${query}`;
    return {
      parts: [raster.version, language, name, tiles, lang],
      draw: async () => {
        const legend = `${address}/legend.png${lang}`;
        const zooms = await maps.zoomsOf(raster);
        return jsonBody(tileJsonOf({ name, tiles, legend, bounds: boundsOf(raster), zooms }));
      },
    };
  }

  async function vectorTileJsonAnswer({ dataset, tiles, tilesUrl }: VectorMap): Promise<DrawnAnswer> {
    const { id, name } = dataset;
    return {
      parts: [tiles.version, name, tilesUrl],
      draw: async () => {
        const { bounds, fields } = await vectorMaps.factsOf(tiles);
        return jsonBody(
          vectorTileJson({ name, tilesUrl, layers: [{ id, fields }], zooms: vectorZooms, bounds }),
        );
      },
    };
  }

  function wmtsAnswer({
    raster,
    id,
    name,
    unit,
    address,
    query,
    days,
    language,
    lang,
  }: RasterMap): DrawnAnswer {
    return {
      parts: [raster.version, language, name, unit, address, days.join(), lang],
      draw: async () => {
        const [, maxZoom] = await maps.zoomsOf(raster);
        const layer = {
          id,
          title: name,
          abstract: unit ?? '',
          url: `${address}/wmts${lang}`,
          tiles: `${address}/tiles/{TileMatrix}/{TileCol}/{TileRow}.png${days.length === 0 ? query : '?time={Time}'}`,
          legend: `${address}/legend.png${lang}`,
          bounds: boundsOf(raster),
          maxZoom,
          days,
        };
        return { contentType: capabilities, bytes: Buffer.from(wmtsCapabilities(layer)) };
      },
    };
  }

  function styleAnswer({ raster, name, address, query, language }: RasterMap): DrawnAnswer {
    const tilesUrl = `${address}/tiles/{z}/{x}/{y}.png${query}`;
    return {
      parts: [raster.version, language, name, tilesUrl],
      headers: leftOutHeaders(raster.style?.style.leftOut),
      draw: async () => {
        const zooms = await maps.zoomsOf(raster);
        return jsonBody(rasterStyle({ name, tilesUrl, zooms, bounds: boundsOf(raster) }));
      },
    };
  }

  async function vectorStyleAnswer({ dataset, tiles, tilesUrl }: VectorMap): Promise<DrawnAnswer> {
    const { bounds } = await vectorMaps.factsOf(tiles);
    const { id: layer, name } = dataset;
    const { style, leftOut } = await styleOf(dataset, { name, layer, tilesUrl, zooms: vectorZooms, bounds });
    const missing = await rulesWithoutProperty(dataset, vectorMaps);
    const own: readonly string[] = [
      ...(dataset.style?.style.leftOut ?? []),
      ...(missing.length === 0 ? [] : ['missing_properties']),
    ];
    return {
      parts: [tiles.version, dataset.sld_key, name, tilesUrl, dataset.year_columns],
      headers: leftOutHeaders([...new Set([...own, ...leftOut])]),
      draw: async () => jsonBody(style),
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

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly id: string;
  /** The language parameter of the request, if it has one. */
  readonly lang: string;
}

/** A dataset or a group with raster tiles. */
interface RasterMap {
  readonly raster: MapRaster;
  readonly id: string;
  readonly name: string;
  readonly unit: string | null;
  readonly language: Language;
  /** The language parameter of the request, if it has one. */
  readonly lang: string;
  /** Without a trailing slash. */
  readonly address: string;
  /** Query of the tiles: the version of cacheable ones. */
  readonly query: string;
  /** Days for which a group has rasters. */
  readonly days: readonly string[];
}

/** A dataset with vector tiles. */
interface VectorMap {
  readonly dataset: StyledDataset;
  readonly tiles: Awaited<ReturnType<VectorMaps['ofDataset']>>;
  readonly tilesUrl: string;
}

/** West, south, east, north in degrees; west > east across 180°. */
function boundsOf({ bbox }: MapRaster): readonly [number, number, number, number] {
  const [west = -180, south = -90, east = 180, north = 90] = bbox ?? [];
  return [west, south, east, north];
}

/** Key-value requests of WMTS ignore case. */
const getTile = 'gettile';
const getCapabilities = 'getcapabilities';

/**
 * Redirects key-value `GetTile` requests of WMTS 1.0.0 on the path of the capabilities to the address of the tile. The
 * capabilities contain only tile addresses, but older clients and pages are set up by hand.
 * @throws {Problem} `malformed` for any other request, and for a tile without a position
 */
async function leadToTile(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [path = '', query = ''] = request.url.split('?');
  const asked = new Map(
    [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  const wanted = asked.get('request')?.toLowerCase() ?? getCapabilities;
  if (wanted === getCapabilities) return;
  if (wanted !== getTile) throw drawingProblems.noWmtsRequest();
  const place = ['tilematrix', 'tilecol', 'tilerow'].map((name) => asked.get(name) ?? '');
  if (!place.every((part) => /^\d{1,8}$/.test(part))) throw drawingProblems.noWmtsTile();
  const time = asked.get('time') ?? '';
  const address = `${path.replace(/wmts$/, 'tiles')}/${place.join('/')}.png`;
  await reply.redirect(time === '' ? address : `${address}?time=${encodeURIComponent(time)}`, 302);
}
