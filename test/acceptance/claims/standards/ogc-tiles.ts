import { checkedElsewhere } from '../../claim.ts';

checkedElsewhere('src/ogc/ogc-tiles.test.ts', {
  'the tiles of a raster are those of its map, the row before the column': ['OGC tiles'],
  'a tile outside of the limits is not found, also where the map of the raster is empty': ['OGC tiles'],
  'vector tiles of units have their layer alone, those of a vector what its map has': ['OGC tiles'],
});
