import type { Legend } from './node.ts';

/** From low to high suitability; reversed for sensitivity. */
export const [worst, poor, middling, good, best] = [
  '#d7191c',
  '#fdae61',
  '#ffffbf',
  '#a6d96a',
  '#1a9641',
] as const;

/** Ramps of ColorBrewer that are safe for colour blindness. */
export const browns = ['#ffffd4', '#fed98e', '#fe9929', '#d95f0e', '#993404'] as const;
export const reds = ['#ffffb2', '#fecc5c', '#fd8d3c', '#f03b20', '#bd0026'] as const;
export const greens = ['#ffffcc', '#c2e699', '#78c679', '#31a354', '#006837'] as const;
export const brownToTeal = ['#a6611a', '#dfc27d', '#f5f5f5', '#80cdc1', '#018571'] as const;

/** From 1 good to 2 poor. */
export const qualityLegend = ramp([1, 1.25, 1.5, 1.75, 2], reds);

/** FAO classes are in brackets. */
export const suitabilityLegend = values([
  [1, worst, 'Permanently not suitable (N2)'],
  [2, poor, 'Currently not suitable (N1)'],
  [3, middling, 'Marginally suitable (S3)'],
  [4, good, 'Moderately suitable (S2)'],
  [5, best, 'Highly suitable (S1)'],
]);

/** Creates the legend of a node with classes. */
export function values(entries: readonly (readonly [value: number, color: string, label: string])[]): Legend {
  return { kind: 'values', entries: entries.map(([value, color, label]) => ({ value, color, label })) };
}

type Five<T> = readonly [T, T, T, T, T];

/** Creates the legend of a node with numbers: a colour ramp with five stops. */
export function ramp(stops: Five<number>, colors: Five<string>, unit = ''): Legend {
  const entries = stops.map((value, at) => ({ value, color: colors[at] ?? '', label: `${value}${unit}` }));
  return { kind: 'ramp', entries };
}
