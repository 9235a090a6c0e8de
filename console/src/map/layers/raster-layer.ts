import TileLayer from 'ol/layer/Tile.js';
import type { RasterClient } from '../../raster/client.ts';
import { packed } from '../../../../common/maps/raster/colouring.ts';
import { parseCss } from '../../../../common/maps/style/colour-map.ts';
import { createCanvasTiles } from '../drawing/canvas-tiles.ts';
import { isOnStripe } from '../drawing/hatching.ts';
import type { Paint } from '../../../../common/maps/raster/paint.ts';
import type { ViewCode } from '../../raster/projection.ts';
import type { RasterLayerModel } from './layer-model.ts';
import { tilePixels } from '../place/views.ts';

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
  const source = createCanvasTiles({
    view,
    onFailure,
    draw: async (canvas, square) => {
      const lattice = model.place.lattice(view, square);
      const pixels = await rasters.tile({ url: model.url, lattice, size: tilePixels, paint });
      if (pixels === undefined) return;
      if (hatched.size > 0) hatch(new Uint32Array(pixels), hatched);
      const image = new ImageData(new Uint8ClampedArray(pixels), tilePixels, tilePixels);
      canvas.getContext('2d')?.putImageData(image, 0, 0);
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
