import { z } from 'zod';

/** A description of tiles by TileJSON 3.0.0 (github.com/mapbox/tilejson-spec). */
export const TileJson = z
  .object({
    tilejson: z.literal('3.0.0').describe('The version of the specification'),
    name: z.string().describe('What people call the map'),
    scheme: z.literal('xyz').describe('Rows count from the north'),
    tiles: z.array(z.string()).describe('Addresses with `{z}`, `{x}` and `{y}` for the place of a tile'),
    minzoom: z.int().describe('The zoom at which the whole is about the size of a tile'),
    maxzoom: z.int().describe('The zoom with all that the data hold; tiles beyond it are answered as well'),
    bounds: z.array(z.number()).length(4).describe('West, south, east, north in degrees'),
    center: z.array(z.number()).length(3).describe('Longitude, latitude and zoom to begin with'),
    legend: z.string().describe('The address of the legend as a picture'),
  })
  .meta({
    id: 'TileJson',
    description: 'Where the tiles of a map are, for clients such as MapLibre and QGIS',
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
  readonly bounds: readonly [number, number, number, number];
  readonly zooms: readonly [min: number, max: number];
}

/** Describes tiles of pixels. Bounds across 180° become the whole turn, for which alone the specification has a form. */
export function tileJsonOf({ name, tiles, legend, bounds, zooms }: TileSource): TileJson {
  const [west, south, east, north] = bounds;
  const isAcross = west > east;
  const middle = isAcross ? wrapped((west + east + 360) / 2) : (west + east) / 2;
  const [minzoom, maxzoom] = zooms;
  return {
    tilejson: '3.0.0',
    name,
    scheme: 'xyz',
    tiles: [tiles],
    minzoom,
    maxzoom,
    bounds: isAcross ? [-180, south, 180, north] : [west, south, east, north],
    center: [middle, (south + north) / 2, Math.min(maxzoom, minzoom + 1)],
    legend,
  };
}

function wrapped(lon: number): number {
  return lon > 180 ? lon - 360 : lon;
}
