import type { Layer } from '../../model/layer.ts';
import { cellLayer } from './cell-layer.ts';
import { limitLayers } from './limit-layers.ts';
import { whereLayerByName } from './where-layer.ts';

const layers: readonly Layer[] = [cellLayer, ...limitLayers];

export function layerByName(name: string): Layer | undefined {
  return layers.find((layer) => layer.name === name) ?? whereLayerByName(name);
}
