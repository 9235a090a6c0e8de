import Layer from 'ol/layer/Layer.js';
import type { FrameState } from 'ol/Map.js';

/**
 * A frame in terms of a canvas: the upper left corner in metres of the view, and sizes in pixels of the canvas. The
 * object stays the same while the view does not change.
 */
export interface Pixels {
  readonly left: number;
  readonly top: number;
  readonly metresPerPixel: number;
  readonly width: number;
  readonly height: number;
  /** Pixels of the canvas per CSS pixel. */
  readonly ratio: number;
}

export type Draw = (context: CanvasRenderingContext2D, pixels: Pixels) => void;

/** A canvas that keeps its picture until the view changes or a redraw is requested. */
export interface Sheet {
  readonly canvas: HTMLCanvasElement;
  readonly show: (pixels: Pixels) => void;
  readonly forget: () => void;
}

export function createSheet(draw: Draw): Sheet {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  canvas.style.position = 'absolute';
  canvas.style.width = '100%';
  canvas.style.height = '100%';
  let drawn: Pixels | undefined;
  return {
    canvas,
    show(pixels) {
      if (context === null || pixels === drawn) return;
      drawn = pixels;
      if (canvas.width !== pixels.width || canvas.height !== pixels.height) {
        canvas.width = pixels.width;
        canvas.height = pixels.height;
      } else {
        context.clearRect(0, 0, canvas.width, canvas.height);
      }
      draw(context, pixels);
    },
    forget: () => void (drawn = undefined),
  };
}

/**
 * A layer that draws native paths on sheets, the first at the bottom. The vector layers of OpenLayers run each line
 * through a list of instructions in every frame in which any layer has changed.
 */
export function createDrawnLayer(className: string, sheets: readonly Sheet[], zIndex = 0): Layer {
  const element = document.createElement('div');
  element.className = `${className} ol-unselectable`;
  element.style.position = 'absolute';
  element.style.width = '100%';
  element.style.height = '100%';
  element.append(...sheets.map(({ canvas }) => canvas));
  let pixels: Pixels | undefined;
  const layer = new Layer({
    className,
    zIndex,
    render: (frame) => {
      if (frame === null) return element;
      pixels = sameOr(pixels, pixelsOf(frame));
      for (const sheet of sheets) sheet.show(pixels);
      element.style.opacity = String(layer.getOpacity());
      return element;
    },
  });
  return layer;
}

function sameOr(last: Pixels | undefined, next: Pixels): Pixels {
  return last !== undefined && String(Object.values(last)) === String(Object.values(next)) ? last : next;
}

function pixelsOf({ viewState, size, pixelRatio: ratio }: FrameState): Pixels {
  const [centreX = 0, centreY = 0] = viewState.center;
  const [width, height] = [Math.round((size[0] ?? 0) * ratio), Math.round((size[1] ?? 0) * ratio)];
  const metresPerPixel = viewState.resolution / ratio;
  return {
    left: centreX - (width / 2) * metresPerPixel,
    top: centreY + (height / 2) * metresPerPixel,
    metresPerPixel,
    width,
    height,
    ratio,
  };
}
