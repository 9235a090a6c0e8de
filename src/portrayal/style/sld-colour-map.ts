import { type ColourMap, type ColourStop, parseColour } from './colour-map.ts';
import { childOf, type Element } from './xml-tree.ts';

const kinds: Readonly<Record<string, ColourMap['kind']>> = {
  ramp: 'ramp',
  intervals: 'intervals',
  values: 'values',
};

/** Reads a ColorMap of entries (SLD 1.0), or of Categorize or Interpolate (SE 1.1). Undefined without usable entries. */
export function readColourMap(element: Element): ColourMap | undefined {
  const categorize = childOf(element, 'Categorize');
  if (categorize !== undefined) return withStops('intervals', readCategories(categorize));
  const interpolate = childOf(element, 'Interpolate');
  if (interpolate !== undefined) return withStops('ramp', readPoints(interpolate));
  const kind = kinds[(element.attributes['type'] ?? 'ramp').toLowerCase()] ?? 'ramp';
  return withStops(kind, readEntries(element));
}

function withStops(kind: ColourMap['kind'], stops: readonly ColourStop[]): ColourMap | undefined {
  if (stops.length === 0) return undefined;
  return { kind, stops: stops.toSorted((first, second) => first.value - second.value) };
}

function readEntries(element: Element): readonly ColourStop[] {
  return element.children.flatMap(({ name, attributes }) => {
    if (name !== 'ColorMapEntry') return [];
    const { color = '', quantity = '', opacity = '1', label = '' } = attributes;
    const colour = parseColour(color, Number(opacity));
    // QGIS writes the open end of its last class as "inf".
    const value = quantity === 'inf' ? Infinity : quantity.trim() === '' ? Number.NaN : Number(quantity);
    return colour === undefined || Number.isNaN(value) ? [] : [{ value, colour, label }];
  });
}

/** Value, threshold, value, threshold, …, value: the last value is for all above. */
function readCategories(categorize: Element): readonly ColourStop[] {
  const parts = categorize.children.filter(({ name }) => name === 'Value' || name === 'Threshold');
  return parts.flatMap(({ name, text }, index) => {
    const colour = name === 'Value' ? parseColour(text) : undefined;
    const threshold = parts[index + 1];
    if (colour === undefined) return [];
    return [{ value: threshold === undefined ? Infinity : Number(threshold.text), colour, label: '' }];
  });
}

function readPoints(interpolate: Element): readonly ColourStop[] {
  return interpolate.children.flatMap((point) => {
    if (point.name !== 'InterpolationPoint') return [];
    const value = Number(childOf(point, 'Data')?.text || 'NaN');
    const colour = parseColour(childOf(point, 'Value')?.text ?? '');
    return colour === undefined || Number.isNaN(value) ? [] : [{ value, colour, label: '' }];
  });
}
