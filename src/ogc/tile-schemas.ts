import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { standardFaults } from '../messages/standards/english.ts';
import { matrixSet, type TileRange, tileLimits } from '../maps/formats/tile-matrix-set.ts';
import { Link, mediaTypes } from '../http/standards/answers.ts';
import { crsAddresses } from './features/crs.ts';

/** Relation types of the OGC register. */
export const relations = {
  tilesets: {
    vector: 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector',
    map: 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-map',
  },
  scheme: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
  schemes: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes',
  geodata: 'http://www.opengis.net/def/rel/ogc/1.0/geodata',
} as const;

/** The kind of tiles of a tileset: vector or map tiles. */
export type TileKind = keyof typeof kinds;
const kinds = {
  vector: { path: 'tiles', mediaType: 'application/vnd.mapbox-vector-tile', form: 'mvt' },
  map: { path: 'map/tiles', mediaType: 'image/png', form: 'png' },
} as const;

/** The path of the tilesets below a collection, the media type of their tiles, and the value of `f`. */
export const tileKinds: Readonly<
  Record<TileKind, { readonly path: string; readonly mediaType: string; readonly form: 'mvt' | 'png' }>
> = kinds;

/** The parameter `f` of a tile. */
export const TileFormatQuery = <Form extends string>(form: Form) =>
  z
    .literal(form, { error: messageText(standardFaults.format(form)) })
    .optional()
    .describe('The only format of the tiles');

const Links = z.array(Link).describe('Links to further resources');

const inList = {
  title: z.string().describe('Title of the collection'),
  dataType: z.enum(['vector', 'map']).describe('Data type of the tiles: vector or map'),
  crs: z.string().describe('The reference system of the tiles'),
  tileMatrixSetURI: z.string().describe('URI of the tile matrix set in the OGC register'),
  links: Links,
};
const exampleInList = {
  title: 'Functional zoning',
  dataType: 'map' as const,
  crs: matrixSet.crs,
  tileMatrixSetURI: matrixSet.uri,
  links: [],
};

export const TilesetsJson = z
  .object({
    tilesets: z.array(z.object(inList)).describe('The tilesets; one, as there is only one tile matrix set'),
    links: Links,
  })
  .meta({
    id: 'Tilesets',
    description: 'The tilesets of a collection',
    examples: [{ tilesets: [exampleInList], links: [] }],
  });

const corner = z.array(z.number()).length(2);
export const TilesetJson = z
  .object({
    ...inList,
    tileMatrixSetLimits: z
      .array(
        z.object({
          tileMatrix: z.string().describe('Zoom level'),
          minTileRow: z.int().describe('The first row, counted from the north'),
          maxTileRow: z.int().describe('The last row'),
          minTileCol: z.int().describe('The first column, counted from the west'),
          maxTileCol: z.int().describe('The last column'),
        }),
      )
      .describe('Limits of the existing tiles; others are answered with 404'),
    boundingBox: z
      .object({
        lowerLeft: corner.describe('Longitude and latitude of the south-west'),
        upperRight: corner.describe('Longitude and latitude of the north-east'),
        crs: z.string().describe('The reference system of the corners'),
      })
      .optional()
      .describe('The bounding box of the data'),
  })
  .meta({
    id: 'Tileset',
    description: 'A tileset of a collection, according to OGC Tileset Metadata 2.0',
    examples: [{ ...exampleInList, tileMatrixSetLimits: tileLimits({ box: [60, 50, 61, 51], maxZoom: 1 }) }],
  });

const inSets = {
  id: z.string().describe('Always `WebMercatorQuad`'),
  title: z.string().describe('Title of the tile matrix set'),
  uri: z.string().describe('URI in the OGC register'),
  crs: z.string().describe('The reference system'),
};
const exampleSet = { id: matrixSet.id, title: 'Google Maps', uri: matrixSet.uri, crs: matrixSet.crs };
export const TileMatrixSetsJson = z
  .object({
    tileMatrixSets: z.array(z.object({ ...inSets, links: Links })).describe('All tile matrix sets'),
    links: Links,
  })
  .meta({
    id: 'TileMatrixSets',
    description: 'The tile matrix sets',
    examples: [{ tileMatrixSets: [{ ...exampleSet, links: [] }], links: [] }],
  });

export const TileMatrixSetJson = z
  .looseObject({
    ...inSets,
    tileMatrices: z
      .array(z.looseObject({ id: z.string().describe('Zoom level') }))
      .describe('The tile matrix of each zoom level'),
  })
  .meta({
    id: 'TileMatrixSet',
    description: 'A tile matrix set, according to OGC Two Dimensional Tile Matrix Set 2.0',
    examples: [{ ...exampleSet, tileMatrices: [] }],
  });

/** A tileset of a collection. */
export interface Tileset extends TileRange {
  readonly kind: TileKind;
  readonly collectionId: string;
  readonly title: string;
  /** The address of the TileJSON; undefined without one. */
  readonly tileJson: string | undefined;
  /** Changes whenever the tiles change. */
  readonly version: string;
}

/** Lists the only tileset of a collection. @param root the address of the OGC APIs */
export function tilesetsOf(tileset: Tileset, root: string): z.infer<typeof TilesetsJson> {
  const self = addressOf(tileset, root);
  return {
    tilesets: [
      {
        ...headOf(tileset),
        links: [{ rel: 'self', href: `${self}/${matrixSet.id}`, type: json }, scheme(root)],
      },
    ],
    links: [{ rel: 'self', href: self, type: json }],
  };
}

/** Describes a tileset. @param root the address of the OGC APIs */
export function tilesetOf(tileset: Tileset, root: string): z.infer<typeof TilesetJson> {
  const { kind, box, version, tileJson } = tileset;
  const self = `${addressOf(tileset, root)}/${matrixSet.id}`;
  const [west, south, east, north] = box ?? [];
  return {
    ...headOf(tileset),
    links: [
      { rel: 'self', href: self, type: json },
      {
        rel: 'item',
        href: `${self}/{tileMatrix}/{tileRow}/{tileCol}?v=${version}`,
        type: tileKinds[kind].mediaType,
        templated: true,
        title: 'Tiles',
      },
      scheme(root),
      { rel: relations.geodata, href: `${root}/collections/${tileset.collectionId}`, type: json },
      ...(tileJson === undefined
        ? []
        : [{ rel: 'alternate', href: tileJson, type: json, title: 'TileJSON' }]),
    ],
    tileMatrixSetLimits: tileLimits(tileset),
    ...(west !== undefined && south !== undefined && east !== undefined && north !== undefined
      ? { boundingBox: { lowerLeft: [west, south], upperRight: [east, north], crs: crsAddresses[0] } }
      : {}),
  };
}

const { json } = mediaTypes;

function addressOf({ kind, collectionId }: Tileset, root: string): string {
  return `${root}/collections/${collectionId}/${tileKinds[kind].path}`;
}

function headOf({ title, kind }: Tileset) {
  return { title, dataType: kind, crs: matrixSet.crs, tileMatrixSetURI: matrixSet.uri };
}

function scheme(root: string) {
  return { rel: relations.scheme, href: `${root}/tileMatrixSets/${matrixSet.id}`, type: json };
}
