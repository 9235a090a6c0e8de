import LayerGroup from 'ol/layer/Group.js';
import type { ViewCode } from '../../raster/projection.ts';
import { mapSources } from '../../map/map-state.ts';
import type { RasterLayerModel } from '../../map/layers/layer-model.ts';
import { createRasterLayer } from '../../map/layers/raster-layer.ts';
import { createServiceTiles } from '../../map/drawing/service-tiles.ts';
import { getRenderPixel } from 'ol/render.js';
import type RenderEvent from 'ol/render/Event.js';
import type TileLayer from 'ol/layer/Tile.js';

interface Options {
  readonly view: ViewCode;
  /** Position of the divider, as a share of the width. */
  readonly shareOf: () => number;
  readonly onFailure: () => void;
}

/** Two rasters with a divider, or tiles of the changes in their place. */
export interface Pair {
  readonly left: RasterLayerModel | undefined;
  readonly right: RasterLayerModel | undefined;
  /** The path of tiles that are shown instead. */
  readonly changes: string | undefined;
}

const [belowLines, onTop] = [10, 11];

/** The layers of both sides, and of the changes that replace them. */
export function createCompareLayers({ view, shareOf, onFailure }: Options) {
  const { rasters } = mapSources();
  const group = new LayerGroup();
  type Made = ReturnType<typeof createRasterLayer>['layer'];
  const drawn: { left?: readonly [RasterLayerModel, Made]; right?: readonly [RasterLayerModel, Made] } = {};
  let tiles: ReturnType<typeof createServiceTiles> | undefined;

  const showSide = (side: 'left' | 'right', model: RasterLayerModel | undefined) => {
    const known = drawn[side];
    if (known?.[0] === model) return;
    if (known !== undefined) group.getLayers().remove(known[1]);
    delete drawn[side];
    if (model === undefined) return;
    const { layer } = createRasterLayer({ view, rasters, model, only: undefined, onFailure });
    drawBeside(layer, side, shareOf);
    layer.setZIndex(side === 'left' ? belowLines : onTop);
    layer.setOpacity(model.opacity);
    drawn[side] = [model, layer];
    group.getLayers().push(layer);
  };
  return {
    layer: group,
    show({ left, right, changes }: Pair) {
      showSide('left', left);
      showSide('right', right);
      for (const known of [drawn.left, drawn.right]) known?.[1].setVisible(changes === undefined);
      if (changes !== undefined && tiles === undefined) {
        tiles = createServiceTiles(changes, onFailure);
        tiles.layer.setZIndex(onTop);
        group.getLayers().push(tiles.layer);
      }
      if (changes !== undefined) tiles?.show(changes);
      tiles?.layer.setVisible(changes !== undefined);
    },
    /** Draws again, with the current position of the divider. */
    redraw() {
      for (const known of [drawn.left, drawn.right]) known?.[1].changed();
    },
  };
}

/**
 * Clips a layer to one side of the divider.
 * @param shareOf the position of the divider, as a share of the width of the map
 */
function drawBeside(layer: TileLayer, side: 'left' | 'right', shareOf: () => number): void {
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
