import { faults, type Mutant } from './mutants.ts';

/** Faults of geometry, rasters and texts that are read from files of the whole earth. */
export const earthMutants: readonly Mutant[] = [
  ...faults('src/geo/child/vector/path-on-earth.ts', 'test/geo/earth.test.ts', [
    [
      'a line goes on around the earth instead of across 180°',
      'return 360 * Math.round((other - longitude) / 360);',
      'return 0;',
      'square across 180° in EPSG:32660 at 5°, as .gpkg',
    ],
  ]),
  ...faults('src/geo/child/vector/path-on-earth.ts', 'test/geo/earth.test.ts', [
    [
      'a ring around a pole is left open there',
      'if (turns === 0) return',
      'if (turns < 2) return',
      'square around the pole in EPSG:3571, as .gpkg',
    ],
  ]),
  ...faults('src/geo/child/vector/reprojection.ts', 'test/geo/earth.test.ts', [
    [
      'the parts of a polygon are not brought back between -180 and 180',
      'i % 2 === 0 ? value - 360 * turn : value',
      'value',
      'square across 180° in EPSG:32660 at 5°, as .gpkg',
    ],
  ]),
  ...faults('src/geo/child/raster/bbox.ts', 'test/geo/raster-boxes.test.ts', [
    [
      'the box of a raster ends before the horizon',
      'const bisections = 36;',
      'const bisections = 0;',
      'Meteosat, full disk',
    ],
    [
      'the box of a raster forgets a pole',
      'Math.max(north, ...poles)',
      'north',
      'sea ice, north, with the pole',
    ],
  ]),
  ...faults('src/geo/child/raster/open-source.ts', 'test/geo/raster-headers.test.ts', [
    [
      'bands that are stored apart are decoded by several threads',
      "=== 'BAND'",
      "=== 'NONE'",
      'keeps its pixels: three bands apart, in tiles',
    ],
  ]),
  ...faults('src/geo/child/raster/write-cog.ts', 'test/geo/raster-boxes.test.ts', [
    [
      'a CRS that GDAL cannot write is lost',
      'if (nativeWkt !== undefined) return;',
      'return;',
      'a part of Equal Earth, which GDAL cannot write into a GeoTIFF',
    ],
  ]),
  ...faults('src/geo/formats/tiff/layout.ts', 'test/geo/copy-with-tags.test.ts', [
    [
      'a block that holds nothing gets a place',
      'at === 0 ? 0 : at + shift',
      'at + shift',
      'with blocks that hold nothing stays one, pixel by pixel, and has the tag',
    ],
  ]),
  ...faults('src/geo/formats/tiff/join-tiles.ts', 'test/geo/copy-with-tags.test.ts', [
    [
      'the length that stands before the first block is left behind',
      '? first - 4 : first',
      '? first : first',
      'of floats stays one, pixel by pixel, and has the tag',
    ],
  ]),
  ...faults('src/geo/formats/geopackage/read-rows.ts', 'test/geo/geopackage.test.ts', [
    [
      'a column of JSON becomes text',
      "declared === 'json' && isJson(cell)",
      'isJson(cell) && false',
      'keeps its texts as they are, also those that look like JSON',
    ],
  ]),
  ...faults('src/geo/formats/geopackage/read-rows.ts', 'test/geo/geopackage-cells.test.ts', [
    [
      'a cell is that of the column before',
      'const cell = row[index] ?? null',
      'const cell = row[index - 1] ?? null',
      'are what SQLite stores, whatever type their column declares',
    ],
    [
      'rows come in the order of an index',
      "${isView ? '' : ' not indexed'}",
      "${isView ? ' ' : ''}",
      'stay in the order of the table, whatever index would give them faster',
    ],
  ]),
  ...faults('src/geo/child/raster/proj-string.ts', 'test/geo/raster-proj.test.ts', [
    [
      'the shift of a datum is not fitted',
      'const fitRounds = 2',
      'const fitRounds = 0',
      'has a shift of the datum that PROJ has no words for: Pulkovo 1942 by its name',
    ],
    [
      'the shift of a datum is the other way round',
      'shift[0] + x',
      'shift[0] - x',
      'has a shift of the datum that PROJ has no words for: Pulkovo 1942 of one field',
    ],
  ]),
  ...faults('src/geo/child/raster/report.ts', 'test/geo/raster-warnings.test.ts', [
    [
      'bits that few programs read are no news',
      'undefined, 1, 2, 4]',
      'undefined, 1, 2, 4, 12]',
      'warns of 12 bits',
    ],
  ]),
];
