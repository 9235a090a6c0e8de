import type { Layer } from '../model/layer.ts';
import { cellLayer } from './layers/cell-layer.ts';

const layers: readonly Layer[] = [cellLayer];

/** Finds a layer by its name. */
export function layerByName(name: string): Layer | undefined {
  return layers.find((layer) => layer.name === name);
}
