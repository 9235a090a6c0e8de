import { z } from 'zod';

type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Fields of every TileJSON 3.0.0 document (github.com/mapbox/tilejson-spec). */
const Common = z.object({
  tilejson: z.literal('3.0.0').describe('Version of the specification'),
  name: z.string().describe('Name of the map'),
  scheme: z.literal('xyz').describe('Rows count from the north'),
  tiles: z.array(z.string()).describe('Addresses with `{z}`, `{x}` and `{y}` for the position of a tile'),
});

/** TileJSON of raster tiles. */
export const TileJson = z
  .object({
    ...Common.shape,
    minzoom: z.int().describe('Zoom at which the whole dataset is about the size of a tile'),
    maxzoom: z.int().describe('Zoom with the full detail of the data; tiles beyond it exist as well'),
    bounds: z.array(z.number()).length(4).describe('West, south, east, north in degrees'),
    center: z.array(z.number()).length(3).describe('Initial longitude, latitude and zoom'),
    legend: z.string().describe('Address of the legend image'),
  })
  .meta({
    id: 'TileJson',
    description: 'Description of the tiles of a map, for clients such as MapLibre and QGIS',
    examples: [
      {
        tilejson: '3.0.0',
        name: 'Functional zoning',
        scheme: 'xyz',
        tiles: ['https://steppe.example/datasets/7d0b…/tiles/{z}/{x}/{y}.png?v=2f1c9a0b7e6d5c4f'],
        minzoom: 4,
        maxzoom: 13,
        bounds: [68.1, 51.2, 69.4, 52.3],
        center: [68.75, 51.75, 5],
        legend: 'https://steppe.example/datasets/7d0b…/legend.png',
      },
    ],
  });
export type TileJson = z.infer<typeof TileJson>;

interface TileSource {
  readonly name: string;
  readonly tiles: string;
  readonly legend: string;
  /** West, south, east, north in degrees; west > east across 180°. */
  readonly bounds: Bounds;
  readonly zooms: readonly [min: number, max: number];
}

/** Returns the TileJSON of raster tiles. */
export function tileJsonOf({ name, tiles, legend, bounds, zooms }: TileSource): TileJson {
  const [west, south, east, north] = bounds;
  const isAcross = west > east;
  const middle = isAcross ? wrapped((west + east + 360) / 2) : (west + east) / 2;
  const [minzoom, maxzoom] = zooms;
  return {
    ...commonOf(name, tiles),
    minzoom,
    maxzoom,
    bounds: wholeBounds(bounds),
    center: [middle, (south + north) / 2, Math.min(maxzoom, minzoom + 1)],
    legend,
  };
}

function commonOf(name: string, tiles: string): z.infer<typeof Common> {
  return { tilejson: '3.0.0', name, scheme: 'xyz', tiles: [tiles] };
}

/** Replaces bounds across 180° by the full circle, because the specification has no other form for them. */
export function wholeBounds([west, south, east, north]: Bounds): [number, number, number, number] {
  return west > east ? [-180, south, 180, north] : [west, south, east, north];
}

function wrapped(lon: number): number {
  return lon > 180 ? lon - 360 : lon;
}

/** TileJSON of vector tiles. */
export const VectorTileJson = z
  .object({
    ...Common.shape,
    minzoom: z.int().describe('First zoom with tiles'),
    maxzoom: z.int().describe('Zoom with the full detail of the data; clients enlarge its tiles'),
    bounds: z.array(z.number()).length(4).optional().describe('West, south, east, north in degrees'),
    attribution: z.string().optional().describe('Attribution text, which must be shown beside the map'),
    vector_layers: z
      .array(
        z.object({
          id: z.string().describe('Name of the layer in the tiles'),
          fields: z.record(z.string(), z.string()).describe('Description of each attribute, by its name'),
          minzoom: z.int().describe('First zoom with the layer'),
          maxzoom: z.int().describe('Last zoom with the layer'),
        }),
      )
      .describe('Layers of each tile'),
  })
  .meta({
    id: 'VectorTileJson',
    description: 'Description of the tiles of a vector map and of their layers',
    examples: [
      {
        tilejson: '3.0.0',
        name: 'Districts',
        scheme: 'xyz',
        tiles: ['https://steppe.example/districts/tiles/{z}/{x}/{y}.mvt'],
        minzoom: 0,
        maxzoom: 12,
        vector_layers: [
          { id: 'districts', fields: { kato: 'String', name: 'String' }, minzoom: 0, maxzoom: 12 },
        ],
      },
    ],
  });
export type VectorTileJson = z.infer<typeof VectorTileJson>;

/** Zooms of vector tiles: beyond the last one, a ten thousandth of a tile is below a metre. */
export const vectorZooms = [0, 14] as const;

/** Type of an attribute in TileJSON. */
export type FieldType = 'Boolean' | 'Number' | 'String';

export interface VectorTileSource {
  readonly name: string;
  /** With `{z}`, `{x}` and `{y}`. */
  readonly tilesUrl: string;
  readonly layers: readonly { readonly id: string; readonly fields: Readonly<Record<string, FieldType>> }[];
  readonly zooms: readonly [min: number, max: number];
  /** West, south, east, north in degrees; west > east across 180°. Undefined if unknown. */
  readonly bounds?: Bounds | undefined;
  readonly attribution?: string | undefined;
}

/** Returns the TileJSON of vector tiles. */
export function vectorTileJson({
  name,
  tilesUrl,
  layers,
  zooms,
  bounds,
  attribution,
}: VectorTileSource): VectorTileJson {
  const [minzoom, maxzoom] = zooms;
  return {
    ...commonOf(name, tilesUrl),
    minzoom,
    maxzoom,
    ...(bounds !== undefined && { bounds: wholeBounds(bounds) }),
    ...(attribution !== undefined && { attribution }),
    vector_layers: layers.map(({ id, fields }) => ({ id, fields: { ...fields }, minzoom, maxzoom })),
  };
}
