import type { Layer } from '../model/layer.ts';
import { cellLayer } from './layers/cell-layer.ts';
import { limitLayers } from './layers/limit-layers.ts';

const layers: readonly Layer[] = [cellLayer, ...limitLayers];

/** Finds a layer by its name. */
export function layerByName(name: string): Layer | undefined {
  return layers.find((layer) => layer.name === name);
}
