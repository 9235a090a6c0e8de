import type { Band } from '../model/bands.ts';
import type { Layer, LayerPixels } from '../model/layer.ts';
import { maxTileSide, type Tile } from '../model/tiles.ts';
import type { Pixels } from './evaluate-tile.ts';

/** Creates the evaluator of a layer, tile by tile. The next call overwrites the returned array. */
export function createLayerEvaluator(layer: Layer) {
  const capacity = maxTileSide * maxTileSide;
  const room = layer.dataType === 'UInt16' ? new Uint16Array(capacity) : new Uint8Array(capacity);
  return {
    /** Evaluates a tile. @param pixels of the inputs on the tile, by key */
    evaluate({ width, height }: Tile, pixels: ReadonlyMap<string, Pixels>): LayerPixels {
      const output = room.subarray(0, width * height);
      const pixelsOf = (band: Band): Pixels => {
        const found = layer.inputs.includes(band) ? pixels.get(band.key) : undefined;
        if (found?.length !== output.length)
          throw new Error(`layer ${layer.name} has no pixels of ${band.key}`);
        return found;
      };
      const wrongType = ({ key }: Band) => new Error(`the pixels of ${key} are of another type`);
      layer.evaluate(
        {
          floats: (band) => {
            const found = pixelsOf(band);
            if (found instanceof Float32Array) return found;
            throw wrongType(band);
          },
          classes: (band) => {
            const found = pixelsOf(band);
            if (found instanceof Uint8Array) return found;
            throw wrongType(band);
          },
        },
        output,
      );
      return output;
    },
  };
}
