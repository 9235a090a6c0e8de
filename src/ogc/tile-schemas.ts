import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { standardFaults } from '../messages/standards.ts';
import { matrixSet, type TileRange, tileLimits } from '../maps/formats/tile-matrix-set.ts';
import { Link, mediaTypes } from '../http/standards/answers.ts';
import { crsAddresses } from './features/crs.ts';

/** Relation types in OGC's register. */
export const relations = {
  tilesets: {
    vector: 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector',
    map: 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-map',
  },
  scheme: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
  schemes: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-schemes',
  geodata: 'http://www.opengis.net/def/rel/ogc/1.0/geodata',
} as const;

/** What the tiles of a tileset are: features, or pictures. */
export type TileKind = keyof typeof kinds;
const kinds = {
  vector: { path: 'tiles', mediaType: 'application/vnd.mapbox-vector-tile', form: 'mvt' },
  map: { path: 'map/tiles', mediaType: 'image/png', form: 'png' },
} as const;

/** The path of the tilesets below a collection, the media type of their tiles, and how `f` calls it. */
export const tileKinds: Readonly<
  Record<TileKind, { readonly path: string; readonly mediaType: string; readonly form: 'mvt' | 'png' }>
> = kinds;

/** The parameter `f` of a tile. */
export const TileFormatQuery = <Form extends string>(form: Form) =>
  z
    .literal(form, { error: messageText(standardFaults.format(form)) })
    .optional()
    .describe('The only form of the tiles');

const Links = z.array(Link).describe('Where to go on');

const inList = {
  title: z.string().describe('The name of the collection'),
  dataType: z.enum(['vector', 'map']).describe('Features, or pictures'),
  crs: z.string().describe('The reference system of the tiles'),
  tileMatrixSetURI: z.string().describe('The tile matrix set in the register of OGC'),
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
  .object({ tilesets: z.array(z.object(inList)).describe('One, for the only tile matrix set'), links: Links })
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
          tileMatrix: z.string().describe('Zoom'),
          minTileRow: z.int().describe('The first row, counted from the north'),
          maxTileRow: z.int().describe('The last row'),
          minTileCol: z.int().describe('The first column, counted from the west'),
          maxTileCol: z.int().describe('The last column'),
        }),
      )
      .describe('The existing tiles; others are answered with 404'),
    boundingBox: z
      .object({
        lowerLeft: corner.describe('Longitude and latitude of the south-west'),
        upperRight: corner.describe('Longitude and latitude of the north-east'),
        crs: z.string().describe('The reference system of the corners'),
      })
      .optional()
      .describe('Where the data lie'),
  })
  .meta({
    id: 'Tileset',
    description: 'Where the tiles of a collection are, by OGC Tileset Metadata 2.0',
    examples: [{ ...exampleInList, tileMatrixSetLimits: tileLimits({ box: [60, 50, 61, 51], maxZoom: 1 }) }],
  });

const inSets = {
  id: z.string().describe('Always `WebMercatorQuad`'),
  title: z.string().describe('Its name'),
  uri: z.string().describe('Its name in the register of OGC'),
  crs: z.string().describe('Its reference system'),
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
    tileMatrices: z.array(z.looseObject({ id: z.string().describe('Zoom') })).describe('Each zoom'),
  })
  .meta({
    id: 'TileMatrixSet',
    description: 'A tile matrix set, by OGC Two Dimensional Tile Matrix Set 2.0',
    examples: [{ ...exampleSet, tileMatrices: [] }],
  });

/** A tileset of a collection. */
export interface Tileset extends TileRange {
  readonly kind: TileKind;
  readonly collectionId: string;
  readonly title: string;
  /** The address of a description by TileJSON; undefined without one. */
  readonly tileJson: string | undefined;
  /** Changes with the tiles. */
  readonly version: string;
}

/** Lists the tilesets of a collection, of which there is one. @param root the address of the OGC APIs */
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
