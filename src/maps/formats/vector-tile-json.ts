import { z } from 'zod';

/** A description of tiles of vectors by TileJSON 3.0.0 (github.com/mapbox/tilejson-spec). */
export const VectorTileJson = z
  .object({
    tilejson: z.literal('3.0.0').describe('The version of the specification'),
    name: z.string().describe('What people call the map'),
    scheme: z.literal('xyz').describe('Rows count from the north'),
    tiles: z.array(z.string()).describe('Addresses with `{z}`, `{x}` and `{y}` for the place of a tile'),
    minzoom: z.int().describe('The first zoom that has tiles'),
    maxzoom: z.int().describe('The zoom with all that the data hold; clients enlarge its tiles'),
    bounds: z.array(z.number()).length(4).optional().describe('West, south, east, north in degrees'),
    attribution: z.string().optional().describe('What has to stand beside the map'),
    vector_layers: z
      .array(
        z.object({
          id: z.string().describe('The name of the layer in the tiles'),
          fields: z.record(z.string(), z.string()).describe('What each attribute is, by its name'),
          minzoom: z.int().describe('The first zoom that has the layer'),
          maxzoom: z.int().describe('The last one'),
        }),
      )
      .describe('The layers of each tile'),
  })
  .meta({
    id: 'VectorTileJson',
    description: 'Where the tiles of a map of vectors are, and what is in them',
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

/** Zooms of tiles of vectors: beyond the last one, a ten thousandth of its tile is below a metre. */
export const vectorZooms = [0, 14] as const;

/** What an attribute of a layer is, as TileJSON calls it. */
export type FieldType = 'Boolean' | 'Number' | 'String';

export interface VectorTileSource {
  readonly name: string;
  /** With `{z}`, `{x}` and `{y}`. */
  readonly tilesUrl: string;
  readonly layers: readonly { readonly id: string; readonly fields: Readonly<Record<string, FieldType>> }[];
  readonly zooms: readonly [min: number, max: number];
  /** West, south, east, north in degrees; west > east across 180°. Undefined where nobody knows. */
  readonly bounds?: readonly [number, number, number, number] | undefined;
  readonly attribution?: string | undefined;
}

/** Describes tiles of vectors. Bounds across 180° become the whole turn, for which alone the specification has a form. */
export function vectorTileJson({
  name,
  tilesUrl,
  layers,
  zooms,
  bounds,
  attribution,
}: VectorTileSource): VectorTileJson {
  const [minzoom, maxzoom] = zooms;
  const [west = -180, south = -90, east = 180, north = 90] = bounds ?? [];
  return {
    tilejson: '3.0.0',
    name,
    scheme: 'xyz',
    tiles: [tilesUrl],
    minzoom,
    maxzoom,
    ...(bounds !== undefined && {
      bounds: west > east ? [-180, south, 180, north] : [west, south, east, north],
    }),
    ...(attribution !== undefined && { attribution }),
    vector_layers: layers.map(({ id, fields }) => ({ id, fields: { ...fields }, minzoom, maxzoom })),
  };
}
