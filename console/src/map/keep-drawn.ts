import type Layer from 'ol/layer/Layer.js';

/**
 * Lets a layer keep what it has drawn while neither it nor the view has changed; OpenLayers draws all layers anew in each
 * frame, and a date or a tile of another layer is a frame. The layer needs a class name, thus a canvas, of its own.
 */
export function keepDrawn<Kept extends Layer>(layer: Kept): Kept {
  const render = layer.render.bind(layer);
  let key = '';
  let element: HTMLElement | null = null;
  layer.render = (frame, target) => {
    if (frame === null) return render(frame, target);
    const { viewState, size, pixelRatio } = frame;
    const { center, resolution, rotation } = viewState;
    const wanted = [...center, resolution, rotation, ...size, pixelRatio, layer.getRevision()].join(' ');
    if (wanted !== key || element === null) element = render(frame, target);
    key = wanted;
    return element;
  };
  return layer;
}
