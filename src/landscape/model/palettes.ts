import type { Legend } from './node.ts';

/** Low to high suitability; the other way round for sensitivity. */
const [worst, poor, middling, good, best] = ['#d7191c', '#fdae61', '#ffffbf', '#a6d96a', '#1a9641'] as const;

/** Ramps of ColorBrewer that colour-blind eyes can tell apart. */
const browns = ['#ffffd4', '#fed98e', '#fe9929', '#d95f0e', '#993404'] as const;
const reds = ['#ffffb2', '#fecc5c', '#fd8d3c', '#f03b20', '#bd0026'] as const;
const greens = ['#ffffcc', '#c2e699', '#78c679', '#31a354', '#006837'] as const;
const brownToTeal = ['#a6611a', '#dfc27d', '#f5f5f5', '#80cdc1', '#018571'] as const;

export const slope = ramp([0, 15, 30, 45, 60], browns, ' %');
export const ruggedness = ramp([0, 240, 480, 720, 960], browns, ' m');
export const aridity = ramp([0, 0.25, 0.5, 0.75, 1], brownToTeal);
export const vegetationCover = ramp([0, 25, 50, 75, 100], greens, ' %');
/** 1 good, 2 poor. */
export const quality = ramp([1, 1.25, 1.5, 1.75, 2], reds);
export const soilLoss = ramp([0, 8.4, 16.8, 25.2, 33.6], reds, ' t/ha/yr');

export const allocable = values([
  [1, '#f0f0f0', 'Allocable'],
  [2, '#4292c6', 'Water'],
  [3, '#cb181d', 'Built-up'],
  [4, '#c6dbef', 'Snow and ice'],
]);

/** In brackets the classes of FAO. */
export const suitability = values([
  [1, worst, 'Permanently not suitable (N2)'],
  [2, poor, 'Currently not suitable (N1)'],
  [3, middling, 'Marginally suitable (S3)'],
  [4, good, 'Moderately suitable (S2)'],
  [5, best, 'Highly suitable (S1)'],
]);

export const sensitivity = values([
  [1, best, 'Very low'],
  [2, good, 'Low'],
  [3, middling, 'Medium'],
  [4, poor, 'High'],
  [5, worst, 'Very high'],
]);

export const leadingSector = values([
  [1, '#1f78b4', 'Irrigation'],
  [2, '#6a51a3', 'Snow retention'],
  [3, '#e6ab02', 'Crop'],
  [4, '#66a61e', 'Pasture'],
  [5, '#d94801', 'Tourism'],
]);

export const useZone = values([
  [1, '#1a9641', 'V1 intensive development'],
  [2, '#fdae61', 'V2 extensive development'],
  [3, '#00441b', 'V3 conservation, reserve'],
]);

export const functionalZoning = values([
  [11, '#1f78b4', 'V1 irrigation'],
  [12, '#6a51a3', 'V1 snow retention'],
  [13, '#e6ab02', 'V1 crop'],
  [14, '#66a61e', 'V1 pasture'],
  [15, '#d94801', 'V1 tourism'],
  [21, '#a6cee3', 'V2 irrigation'],
  [22, '#bcbddc', 'V2 snow retention'],
  [23, '#ffeda0', 'V2 crop'],
  [24, '#c7e9b4', 'V2 pasture'],
  [25, '#fdbe85', 'V2 tourism'],
  [31, '#00441b', 'V3 conservation'],
  [32, '#bdbdbd', 'V3 reserve, improvement'],
  [40, '#636363', 'Water, built-up, ice'],
]);

function values(entries: readonly (readonly [value: number, color: string, label: string])[]): Legend {
  return { kind: 'values', entries: entries.map(([value, color, label]) => ({ value, color, label })) };
}

type Five<T> = readonly [T, T, T, T, T];

function ramp(stops: Five<number>, colors: Five<string>, unit = ''): Legend {
  const entries = stops.map((value, at) => ({ value, color: colors[at] ?? '', label: `${value}${unit}` }));
  return { kind: 'ramp', entries };
}
