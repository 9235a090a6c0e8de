import { z } from 'zod';

/** A style of MapLibre as clients get it. */
export const MapLibreStyleJson = z
  .looseObject({
    version: z.literal(8).describe('The version of the specification'),
    name: z.string().describe('The name of the map'),
    sources: z.record(z.string(), z.unknown()).describe('Where the tiles are'),
    layers: z.array(z.unknown()).describe('The layers, from the bottom to the top'),
  })
  .meta({
    id: 'MapLibreStyle',
    description: 'A style of MapLibre (maplibre.org/maplibre-style-spec)',
    examples: [
      {
        version: 8,
        name: 'Functional zoning',
        sources: { data: { type: 'raster', tileSize: 256, minzoom: 4, maxzoom: 13 } },
        layers: [{ id: 'raster', type: 'raster', source: 'data', paint: { 'raster-resampling': 'nearest' } }],
      },
    ],
  });
