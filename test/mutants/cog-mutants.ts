import { faults, type Mutant } from './mutants.ts';

/** Faults of the COGs that are made where they are computed, and of files that are taken over instead of copied. */
export const cogMutants: readonly Mutant[] = [
  ...faults('src/geo/child/raster/pyramid.ts', 'src/geo/child/raster/pyramid.test.ts', [
    [
      'an overview is made of some of its quarters',
      'quartersOf(tile, finer).every(',
      'quartersOf(tile, finer).some(',
      'all tiles make all overviews, and some those whose quarters are among them',
    ],
    [
      'overviews lose the last column of an odd raster',
      'Math.ceil(w / 2)',
      'Math.floor(w / 2)',
      'levels halve, rounded up, until one tile holds all',
    ],
  ]),
  ...faults('src/geo/child/raster/fill-levels.ts', 'test/geo/assemble.test.ts', [
    [
      'overviews between two parts stay empty',
      'for (const quarter of quarters)',
      'for (const quarter of quarters.slice(1))',
      'have overviews that follow from the next finer level, pixel by pixel (5 parts)',
    ],
  ]),
  ...faults('src/geo/formats/tiff/join-tiles.ts', 'test/geo/assemble.test.ts', [
    [
      'levels are written from fine to coarse',
      '] of [...levels.entries()].toReversed()',
      '] of [...levels.entries()]',
      'of any size, type and CRS become COGs with every pixel in its place, several at once',
    ],
  ]),
  ...faults('src/geo/child/raster/part-file.ts', 'test/geo/assemble.test.ts', [
    [
      'a tile may come twice',
      '!missing.delete(numberOf(bounds, tile))',
      '!missing.delete(numberOf(bounds, tile)) && missing.size > 99',
      'are refused by their encoder when they were not announced, come twice or do not come',
    ],
  ]),
  ...faults('src/landscape/model/rating.ts', 'src/landscape/model/rating.test.ts', [
    [
      'numbers on both sides of a break are rated alike',
      'first === last ? first : divided',
      'first',
      'numbers rated by their bits have the ratings that they have one by one',
    ],
    [
      'no value is rated like a number',
      'ratings[(bits[0] ?? 0) >>> 16] = divided;',
      '',
      'only breaks and special numbers have to be looked at one by one',
    ],
  ]),
  ...faults('src/object-store/directory.ts', 'src/object-store/directory.test.ts', [
    [
      'a file that was taken over stays open to others',
      'await chmod(partial, fileMode);',
      '',
      'takes over files of its own file system alone, and closes them to others',
    ],
  ]),
];
