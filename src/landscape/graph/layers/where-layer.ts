import { classNoData, floatNoData } from '../../model/bands.ts';
import type { Layer } from '../../model/layer.ts';
import { bandsOf, type Comparison, type Condition, conditionsText, normalConditions } from '../conditions.ts';

/** Values of the pixels of a layer of conditions; 0 if none fails, but one has no value to compare. */
export const failsConditions = 1;
export const meetsConditions = 2;

/** The prefix of the names of these layers. */
export const wherePrefix = 'where ';
export type WhereLayerName = `${typeof wherePrefix}${string}`;

/** Returns the name of the layer of conditions; equivalent conditions have the same name. */
export function whereLayerName(conditions: readonly Condition[]): WhereLayerName {
  return `${wherePrefix}${conditionsText(conditions)}`;
}

/** Returns the layer with a name; undefined for a name of another kind. @throws {Error} when conditions are not in their normal form. */
export function whereLayerByName(name: string): Layer | undefined {
  return name.startsWith(wherePrefix)
    ? whereLayer(normalConditions(name.slice(wherePrefix.length)))
    : undefined;
}

function whereLayer(conditions: readonly Condition[]): Layer {
  return {
    name: whereLayerName(conditions),
    dataType: 'Byte',
    noData: 0,
    inputs: bandsOf(conditions),
    evaluate(bands, output) {
      output.fill(meetsConditions);
      for (const condition of conditions) {
        const { band } = condition;
        if (band.type === 'float32') lower(output, bands.floats(band), floatNoData, condition);
        else if (band.zeroWhereMissing === true) lower(output, bands.classes(band), undefined, condition);
        else lower(output, bands.classes(band), classNoData, condition);
      }
    },
  };
}

/**
 * Applies a condition. A pixel that fails remains failed; one without a value may still fail.
 * @param noData undefined when every pixel has a value
 */
function lower(
  output: Uint8Array | Uint16Array,
  values: Float32Array | Uint8Array,
  noData: number | undefined,
  { comparison, value }: Condition,
): void {
  const isMet = tests[comparison];
  // Compared in float32, as rasters store it.
  const stored = Math.fround(value);
  for (let i = 0; i < output.length; i += 1) {
    const found = values[i] ?? 0;
    if (found === noData) {
      if (output[i] !== failsConditions) output[i] = 0;
    } else if (!isMet(found, stored)) output[i] = failsConditions;
  }
}

const tests: Readonly<Record<Comparison, (found: number, value: number) => boolean>> = {
  '<': (found, value) => found < value,
  '<=': (found, value) => found <= value,
  '>': (found, value) => found > value,
  '>=': (found, value) => found >= value,
  '=': (found, value) => found === value,
  '!=': (found, value) => found !== value,
};
