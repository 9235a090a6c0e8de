import { literalOf, quantityOf } from './sld-literal.ts';
import type { Note } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

/** How a style spreads the values of a band over the shades from dark to light, in the units of the values. */
export interface Contrast {
  /**
   * - `plain`: as without a style.
   * - `normalize`: from the least value to the greatest.
   * - `histogram`: each shade as often as any other.
   * - `stretch`: from one value to another.
   * - `clip`: values beyond the two are drawn as these.
   * - `clip_to_zero`: values beyond the two are drawn as 0.
   */
  readonly method: 'plain' | 'normalize' | 'histogram' | 'stretch' | 'clip' | 'clip_to_zero';
  /** Of the last three methods. */
  readonly range?: readonly [number, number];
  /** The power that shades are raised to, as in GeoServer: below 1 they become lighter. Absent where it is 1. */
  readonly gamma?: number;
}

/** Names of the vendor option `algorithm`, which GeoServer reads and QGIS writes. */
const algorithms: Readonly<Record<string, Contrast['method']>> = {
  '': 'normalize',
  stretchtominimummaximum: 'stretch',
  cliptominimummaximum: 'clip',
  cliptozero: 'clip_to_zero',
};
const needsRange: readonly Contrast['method'][] = ['stretch', 'clip', 'clip_to_zero'];

/** Reads a ContrastEnhancement. Undefined where it changes nothing, or cannot be drawn, of which a note is taken. */
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

/** Undefined where it is 1, which GeoServer writes everywhere. */
function gammaOf(element: Element, note: Note): number | undefined {
  const text = literalOf(childOf(element, 'GammaValue'), note);
  if (text === undefined) return undefined;
  const gamma = quantityOf(text);
  if (!(gamma > 0) || !Number.isFinite(gamma)) note('contrast');
  else if (gamma !== 1) return gamma;
  return undefined;
}
