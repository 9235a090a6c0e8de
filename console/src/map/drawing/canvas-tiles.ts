import ImageTile from 'ol/source/ImageTile.js';
import type { ViewCode } from '../../raster/projection.ts';
import { squareOf, tileGridOf, tilePixels } from '../place/views.ts';

interface CanvasTileOptions {
  readonly view: ViewCode;
  /** Draws the tile of a square on a canvas, or leaves it empty. */
  readonly draw: (canvas: HTMLCanvasElement, square: ReturnType<typeof squareOf>) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Creates a source of tiles that the page draws pixel by pixel, without interpolation between pixels. */
export function createCanvasTiles({ view, draw, onFailure }: CanvasTileOptions): ImageTile {
  return new ImageTile({
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
      await draw(canvas, squareOf(view, zoom, column, row)).catch(onFailure);
      return canvas;
    },
  });
}
