import LayerGroup from 'ol/layer/Group.js';
import type { ViewCode } from '../../raster/projection.ts';
import { mapSources } from '../../map/map-state.ts';
import type { RasterLayerModel } from '../../map/layers/layer-model.ts';
import { createRasterLayer } from '../../map/layers/raster-layer.ts';
import { createServiceTiles } from '../../map/drawing/service-tiles.ts';
import { drawBeside } from '../../map/drawing/draw-beside.ts';

interface Options {
  readonly view: ViewCode;
  /** Where the divider stands, as a share of the width. */
  readonly shareOf: () => number;
  readonly onFailure: () => void;
}

/** A map of two rasters beside a divider, or of pictures in their place. */
export interface Pair {
  readonly left: RasterLayerModel | undefined;
  readonly right: RasterLayerModel | undefined;
  /** The path of tiles that are shown instead. */
  readonly changes: string | undefined;
}

const [belowLines, onTop] = [10, 11];

/** The layers of both sides, and of what is shown in their place. */
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
    /** Draws once more, with the divider where it stands now. */
    redraw() {
      for (const known of [drawn.left, drawn.right]) known?.[1].changed();
    },
  };
}
