import TileLayer from 'ol/layer/Tile.js';
import ImageTile from 'ol/source/ImageTile.js';
import type { RasterClient } from '../../raster/client.ts';
import { packed } from '../../../../common/maps/raster/colouring.ts';
import { parseCss } from '../../../../common/maps/style/colour-map.ts';
import { isOnStripe } from '../drawing/hatching.ts';
import type { Paint } from '../../../../common/maps/raster/paint.ts';
import type { ViewCode } from '../../raster/projection.ts';
import type { RasterLayerModel } from './layer-model.ts';
import { squareOf, tileGridOf, tilePixels } from '../place/views.ts';

export interface RasterLayerOptions {
  readonly view: ViewCode;
  readonly rasters: RasterClient;
  readonly model: RasterLayerModel;
  /** The class to show alone. */
  readonly only: number | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** A layer whose pixels the worker computes, without WebGL. */
export function createRasterLayer({ view, rasters, model, only, onFailure }: RasterLayerOptions) {
  let paint = paintWith(model.paint, only);
  const hatched = new Set([...(model.hatched ?? [])].map((colour) => packed(...parseCss(colour))));
  const source = new ImageTile({
    projection: view,
    tileGrid: tileGridOf(view),
    interpolate: false,
    transition: 0,
    // The world repeats beyond 180°, which a raster may cross.
    wrapX: view === 'EPSG:3857',
    loader: async (zoom, column, row) => {
      const canvas = document.createElement('canvas');
      canvas.width = tilePixels;
      canvas.height = tilePixels;
      try {
        const lattice = model.place.lattice(view, squareOf(view, zoom, column, row));
        const pixels = await rasters.tile({ url: model.url, lattice, size: tilePixels, paint });
        if (pixels !== undefined) {
          if (hatched.size > 0) hatch(new Uint32Array(pixels), hatched);
          const image = new ImageData(new Uint8ClampedArray(pixels), tilePixels, tilePixels);
          canvas.getContext('2d')?.putImageData(image, 0, 0);
        }
      } catch (error) {
        onFailure(error);
      }
      return canvas;
    },
  });
  // OpenLayers treats revision 0 as unset, and would miss the first refresh.
  source.changed();
  const layer = new TileLayer({ source, className: 'map-data' });
  return {
    layer,
    showOnly(index: number | undefined) {
      paint = paintWith(model.paint, index);
      source.refresh();
    },
  };
}

function paintWith(paint: Paint, only: number | undefined): Paint {
  return paint.kind === 'values' && only !== undefined ? { ...paint, only } : paint;
}

const white = packed(255, 255, 255, 255);

/** Draws stripes over the areas of some colours in a square tile. */
function hatch(pixels: Uint32Array, hatched: ReadonlySet<number>): void {
  for (let row = 0, at = 0; row < tilePixels; row += 1) {
    for (let column = 0; column < tilePixels; column += 1, at += 1) {
      if (isOnStripe(column, row) && hatched.has(pixels[at] ?? 0)) pixels[at] = white;
    }
  }
}
