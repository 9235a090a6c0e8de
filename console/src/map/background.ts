import TileLayer from 'ol/layer/Tile.js';
import XYZ from 'ol/source/XYZ.js';

/** A map of other makers below the data, above the land: square tiles of Web Mercator, which other views bend. */
export function createBackground(url: string, onFailure: () => void): TileLayer {
  const source = new XYZ({ url, transition: 0 });
  source.on('tileloaderror', onFailure);
  return new TileLayer({ source, className: 'map-background', zIndex: 1 });
}
