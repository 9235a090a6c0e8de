import LayerGroup from 'ol/layer/Group.js';
import type { viewCodeFor } from '../../map/boxes.ts';
import type { Place } from '../../map/address.ts';
import type { RasterLayerModel } from '../../map/loaded-layer.ts';
import { mapSources } from '../../map/map-state.ts';
import { openMap } from '../../map/open-map.ts';
import { createRasterLayer } from '../../map/raster-layer.ts';
import { createServiceTiles } from '../../map/service-tiles.ts';
import { drawBeside } from '../../map/swipe.ts';
import { createUnitOutline } from '../../map/unit-outline.ts';

interface Opening {
  readonly target: HTMLElement;
  readonly view: ReturnType<typeof viewCodeFor>;
  readonly at: Place | undefined;
  /** Where the divider stands, as a share of the width. */
  readonly shareOf: () => number;
  readonly onMoved: (place: Place, metresPerPixel: number) => void;
  readonly onClick: (point: number[]) => void;
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

/** Opens the map in an element that has a size. */
export function openCompareMap({ target, view, at, shareOf, onMoved, onClick, onFailure }: Opening) {
  const { rasters, districts } = mapSources();
  const map = openMap({
    target,
    view,
    at,
    rasters,
    districts,
    waitsForLayers: true,
    wheelZooms: false,
    onMoved,
    onClick,
    onLayerFailure: onFailure,
  });
  const group = new LayerGroup();
  const outline = createUnitOutline(view, districts);
  map.addLayer(group);
  map.addLayer(outline.layer);
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
    map,
    outline,
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
