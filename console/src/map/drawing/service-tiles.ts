import ImageTile from 'ol/ImageTile.js';
import TileLayer from 'ol/layer/Tile.js';
import XYZ from 'ol/source/XYZ.js';
import TileState from 'ol/TileState.js';
import { fetchFromService, refusalOf } from '../../service/fetch.ts';

const maxZoom = 22;

/**
 * A layer of tiles that the service draws, fetched with the token, which an image element cannot send. Views other than
 * Web Mercator are reprojected on a canvas, without WebGL.
 * @param path with `{z}`, `{x}` and `{y}`
 */
export function createServiceTiles(path: string, onFailure: (error: unknown) => void) {
  const load = async (tile: ImageTile, url: string) => {
    try {
      const picture = await fetchFromService(url, { isBackground: true }, async (response) => {
        if (!response.ok) throw await refusalOf(response);
        return await response.blob();
      });
      const image = tile.getImage();
      if (!(image instanceof HTMLImageElement)) return;
      const made = URL.createObjectURL(picture);
      const forget = () => URL.revokeObjectURL(made);
      image.addEventListener('load', forget, { once: true });
      image.addEventListener('error', forget, { once: true });
      image.src = made;
    } catch (error) {
      tile.setState(TileState.ERROR);
      onFailure(error);
    }
  };
  const source = new XYZ({
    url: path,
    maxZoom,
    interpolate: false,
    transition: 0,
    tileLoadFunction(tile, url) {
      if (tile instanceof ImageTile) void load(tile, url);
    },
  });
  const layer = new TileLayer({ source, className: 'map-data' });
  let shown = path;
  return {
    layer,
    /** Draws the tiles of another path. */
    show(next: string) {
      if (next === shown) return;
      shown = next;
      source.setUrl(next);
    },
    /** Requests all tiles in view again. */
    reload: () => source.refresh(),
  };
}
