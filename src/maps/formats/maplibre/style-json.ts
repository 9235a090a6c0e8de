import { z } from 'zod';

export const MapLibreStyleJson = z
  .looseObject({
    version: z.literal(8).describe('Version of the specification'),
    name: z.string().describe('Name of the map'),
    sources: z.record(z.string(), z.unknown()).describe('Sources with the address of the tiles'),
    layers: z.array(z.unknown()).describe('Layers from bottom to top'),
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
