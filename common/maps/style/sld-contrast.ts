import { literalOf, quantityOf } from './sld-literal.ts';
import type { Note } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

/** Distribution of the values of a band over the shades from dark to light, in the units of the values. */
export interface Contrast {
  /**
   * - `plain`: as without a style.
   * - `normalize`: from the least value to the greatest.
   * - `histogram`: equal frequency of each shade.
   * - `stretch`: from one value to another.
   * - `clip`: values outside the range are drawn as its ends.
   * - `clip_to_zero`: values outside the range are drawn as 0.
   */
  readonly method: 'plain' | 'normalize' | 'histogram' | 'stretch' | 'clip' | 'clip_to_zero';
  /** For the last three methods. */
  readonly range?: readonly [number, number];
  /** Exponent of the shades, as in GeoServer: below 1 they become lighter. Absent for 1. */
  readonly gamma?: number;
}

/** Values of the vendor option `algorithm`, which GeoServer reads and QGIS writes. */
const algorithms: Readonly<Record<string, Contrast['method']>> = {
  '': 'normalize',
  stretchtominimummaximum: 'stretch',
  cliptominimummaximum: 'clip',
  cliptozero: 'clip_to_zero',
};
const needsRange: readonly Contrast['method'][] = ['stretch', 'clip', 'clip_to_zero'];

/** Parses a ContrastEnhancement; undefined if it changes nothing, or cannot be drawn, which is noted. */
export function readContrast(element: Element | undefined, note: Note): Contrast | undefined {
  if (element === undefined) return undefined;
  const gamma = gammaOf(element, note);
  const method = methodOf(element, note);
  if (method === undefined) return gamma === undefined ? undefined : { method: 'plain', gamma };
  return { ...method, ...(gamma === undefined ? {} : { gamma }) };
}

function methodOf(element: Element, note: Note): Contrast | undefined {
  const known = ['Normalize', 'Histogram', 'GammaValue'];
  if (element.children.some(({ name }) => !known.includes(name))) note('contrast');
  const normalize = childOf(element, 'Normalize');
  if (normalize === undefined)
    return childOf(element, 'Histogram') === undefined ? undefined : { method: 'histogram' };
  const option = (name: string) => {
    const found = normalize.children.find(
      (child) => child.name === 'VendorOption' && child.attributes['name'] === name,
    );
    return literalOf(found, note) ?? '';
  };
  const method = algorithms[option('algorithm').toLowerCase()];
  const [from, to] = [quantityOf(option('minValue')), quantityOf(option('maxValue'))];
  if (method !== undefined && !needsRange.includes(method)) return { method };
  const isRange = Number.isFinite(from) && Number.isFinite(to) && (method === 'stretch' || from <= to);
  if (method !== undefined && isRange) return { method, range: [from, to] };
  note('contrast');
  return undefined;
}

/** Undefined for 1, which GeoServer writes everywhere. */
function gammaOf(element: Element, note: Note): number | undefined {
  const text = literalOf(childOf(element, 'GammaValue'), note);
  if (text === undefined) return undefined;
  const gamma = quantityOf(text);
  if (!(gamma > 0) || !Number.isFinite(gamma)) note('contrast');
  else if (gamma !== 1) return gamma;
  return undefined;
}
