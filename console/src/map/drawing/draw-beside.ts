import { getRenderPixel } from 'ol/render.js';
import type RenderEvent from 'ol/render/Event.js';
import type TileLayer from 'ol/layer/Tile.js';

/** Draws a layer on one side of a divider alone. @param shareOf where the divider stands, as a share of the width of the map */
export function drawBeside(layer: TileLayer, side: 'left' | 'right', shareOf: () => number): void {
  layer.on('prerender', (event) => {
    const { frameState } = event;
    const context = contextOf(event);
    if (context === undefined || frameState === null || frameState === undefined) return;
    const [width = 0, height = 0] = frameState.size;
    const divider = width * shareOf();
    const [from, to] = side === 'left' ? [0, divider] : [divider, width];
    context.save();
    context.beginPath();
    for (const corner of [
      [from, 0],
      [to, 0],
      [to, height],
      [from, height],
    ]) {
      const [x = 0, y = 0] = getRenderPixel(event, corner);
      context.lineTo(x, y);
    }
    context.closePath();
    context.clip();
  });
  layer.on('postrender', (event) => contextOf(event)?.restore());
}

function contextOf({ context }: RenderEvent): CanvasRenderingContext2D | undefined {
  return context instanceof CanvasRenderingContext2D ? context : undefined;
}
