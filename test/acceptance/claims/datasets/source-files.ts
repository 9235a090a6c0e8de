import { checkedElsewhere } from '../../claim.ts';

checkedElsewhere('src/source-files/source-files.test.ts', {
  'is kept by its content, whatever its name, and tells its variables and times': [
    'D7 sources upload',
    'D7 sources variables',
  ],
  'becomes one dataset per time, in a group, with its period and its origin': ['D7 sources rasters'],
  'refuses what it does not have, part by part': ['D7 sources refusals'],
  'takes a reference system from the request if it has none': ['D7 sources refusals'],
  'of tiles becomes one raster, ordered once for all requests with one key': [
    'D7 sources tiles',
    'D7 sources key',
  ],
  'that is damaged says so, and another kind of file is not kept': [
    'D7 sources upload',
    'D7 sources variables',
  ],
  'goes with DELETE, or when it is not used, and its rasters stay': ['D7 sources'],
});

checkedElsewhere('src/source-files/tiles.long.test.ts', {
  'becomes one raster, with its overlap and the difference there': ['D7 sources tiles'],
  'keeps bytes, except with 0 as a value, and applies a scale': ['D7 sources tiles'],
  'on several grids is refused, or resampled onto the grid that was asked for': ['D7 sources tiles'],
  'reads heights by their name, and ASCII grids with the system beside them': ['D7 sources tiles'],
  'of several coverages, without tiles, or with damaged ones says so': ['D7 sources tiles'],
  'is ordered once for all requests with one key': ['D7 sources key'],
});
