import TileLayer from 'ol/layer/Tile.js';
import type { RasterClient } from '../../raster/client.ts';
import type { RasterPlace, ViewCode } from '../../raster/projection.ts';
import type { ClassColours } from './class-colours.ts';
import { createCanvasTiles } from '../drawing/canvas-tiles.ts';
import { isOnStripe } from '../drawing/hatching.ts';
import { tilePixels } from '../place/views.ts';

interface ClassLayerOptions {
  readonly view: ViewCode;
  readonly rasters: RasterClient;
  /** URL of a raster that the worker has opened; its first band has whole numbers below 65,535. */
  readonly url: string;
  readonly place: RasterPlace;
  readonly colours: ClassColours;
  readonly onFailure: (error: unknown) => void;
}

/** Number of tiles to keep: two zoom levels of a large screen, which are all recoloured at once. */
const tilesKept = 160;

/** A layer whose tiles keep the class of each pixel, so that it is recoloured in the next frame without the worker or the service. */
export function createClassLayer({ view, rasters, url, place, colours, onFailure }: ClassLayerOptions) {
  let shown = colours;
  const classesOf = new WeakMap<HTMLCanvasElement, Uint16Array>();
  /** Weak references, because OpenLayers decides which tiles are kept. */
  const canvases = new Set<WeakRef<HTMLCanvasElement>>();
  const image = new ImageData(tilePixels, tilePixels);
  const pixels = new Uint32Array(image.data.buffer);

  const colour = (canvas: HTMLCanvasElement) => {
    const classes = classesOf.get(canvas);
    if (classes === undefined) return;
    colourClasses(classes, shown, pixels);
    canvas.getContext('2d')?.putImageData(image, 0, 0);
  };
  const source = createCanvasTiles({
    view,
    onFailure,
    draw: async (canvas, square) => {
      const classes = await rasters.classes({ url, lattice: place.lattice(view, square), size: tilePixels });
      if (classes === undefined) return;
      classesOf.set(canvas, new Uint16Array(classes));
      canvases.add(new WeakRef(canvas));
      colour(canvas);
    },
  });
  const layer = new TileLayer({ source, className: 'map-data', cacheSize: tilesKept, zIndex: 10 });
  return {
    layer,
    /** Recolours every tile that is kept. */
    showColours(next: ClassColours) {
      shown = next;
      for (const reference of canvases) {
        const canvas = reference.deref();
        if (canvas === undefined) canvases.delete(reference);
        else colour(canvas);
      }
      layer.changed();
    },
  };
}

/** Colours each pixel of a square tile by its class and by its stripe. */
function colourClasses(classes: Uint16Array, { fill, stripes }: ClassColours, pixels: Uint32Array): void {
  for (let row = 0, at = 0; row < tilePixels; row += 1) {
    for (let column = 0; column < tilePixels; column += 1, at += 1) {
      const colours = isOnStripe(column, row) ? stripes : fill;
      pixels[at] = colours[classes[at] ?? 0] ?? 0;
    }
  }
}
