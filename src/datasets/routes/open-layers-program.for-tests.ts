/** Reads a COG with OpenLayers as a map does and prints its properties; in a separate process, because its workers never end. */
import TileState from 'ol/TileState.js';
import GeoTIFFSource from 'ol/source/GeoTIFF.js';

const [url = ''] = process.argv.slice(2);
const source = new GeoTIFFSource({ sources: [{ url }], normalize: false, interpolate: false });
const { extent, resolutions } = await source.getView();
const projection = source.getProjection();
const grid = source.getTileGrid();
if (projection === null || grid === null) throw new Error('the source has no projection or no tile grid');
const tile = source.getTile(grid.getMaxZoom(), 0, 0, 1, projection);
if (tile === null) throw new Error('the source has no tile');
const settled = Promise.withResolvers<void>();
tile.addEventListener('change', () => {
  if (tile.getState() === TileState.LOADED) settled.resolve();
  if (tile.getState() === TileState.ERROR) settled.reject(new Error('the tile did not come'));
});
tile.load();
await settled.promise;
const values = 'getData' in tile && typeof tile.getData === 'function' ? [...tile.getData()] : [];
const known = { state: source.getState(), code: projection.getCode(), extent, resolutions, values };
process.stdout.write(JSON.stringify(known), () => process.exit());
