import { type Rgba, thinOut } from '../style/colour-map.ts';
import { readRangeLabel } from './range-label.ts';
import type { Rule } from '../style/sld-read.ts';
import type { StrokeSign } from '../style/sld-sign.ts';

/** Label of a class: a half-open range `[from, to)` that may be unbounded, with `upTo` the range `(from, to]`, or a text. */
export type ClassLabel =
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly upTo?: true }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'others' };

export interface LegendEntry {
  readonly colour: Rgba;
  readonly label: ClassLabel;
  /** The range of numbers of an entry whose label is a text. */
  readonly range?: { readonly from: number; readonly to: number };
  /** Shape of the sample. */
  readonly sign: 'area' | 'line' | 'point';
  /** The line of a line, or around an area, in pixels; absent without one. */
  readonly stroke?: StrokeSign;
  /** The shape of a point, unless it is a circle. */
  readonly shape?: string;
  /** A class without a colour, or with a colour that no pixel has. */
  readonly isHidden: boolean;
}

/** A list of classes, or a ramp from one number to another. */
export type LegendModel =
  | { readonly kind: 'classes'; readonly entries: readonly LegendEntry[] }
  | { readonly kind: 'ramp'; readonly stops: readonly RampStop[] }
  | { readonly kind: 'colours' };

interface RampStop {
  readonly value: number;
  readonly colour: Rgba;
  /** Label in the style; absent if it only repeats the number. */
  readonly label?: string;
}

/** Maximum number of stops in a list of labels. */
const maxNamedStops = 12;

/** Returns the stops of a ramp that have a label in the style, up to the maximum of a list. */
export function namedStops(stops: readonly RampStop[]): readonly (RampStop & { readonly label: string })[] {
  const named = stops.flatMap(({ label, ...stop }) => (label === undefined ? [] : { ...stop, label }));
  return thinOut(named, maxNamedStops);
}

/** Removes the labels of a ramp, so that it shows numbers in the reader's language: the labels of the service's own styles are English. */
export function withoutNames(model: LegendModel): LegendModel {
  if (model.kind !== 'ramp') return model;
  return { kind: 'ramp', stops: model.stops.map(({ value, colour }) => ({ value, colour })) };
}

const signs = { polygon: 'area', line: 'line', point: 'point' } as const;

/** Returns one legend entry per rule, from its topmost sign with a colour; none for rules without colours. */
export function ruleEntries(rules: readonly Pick<Rule, 'title' | 'signs'>[]): readonly LegendEntry[] {
  return rules.flatMap(({ title, signs: own }): LegendEntry[] => {
    const sign = own.findLast(({ fill, stroke }) => fill !== undefined || stroke !== undefined);
    const colour = sign?.fill ?? sign?.stroke?.colour;
    if (sign === undefined || colour === undefined) return [];
    const range = readRangeLabel(title);
    const label =
      range === undefined ? ({ kind: 'text', text: title } as const) : ({ kind: 'range', ...range } as const);
    const { stroke, shape } = sign;
    const drawn = { ...(stroke && { stroke }), ...(shape !== '' && shape !== 'circle' && { shape }) };
    return [{ colour, label, sign: signs[sign.kind], isHidden: false, ...drawn }];
  });
}

/** Pixel density of a picture, relative to a plain screen. */
export type Scale = 1 | 2;

/** A class with text in one language. */
export interface WordedEntry {
  readonly label: string;
  readonly colour: Rgba;
  readonly sign: LegendEntry['sign'];
  readonly stroke?: StrokeSign | undefined;
  readonly shape?: string | undefined;
  /** The range of numbers, if the class has one. */
  readonly range: { readonly from: number; readonly to: number } | undefined;
}

/** A number beside a ramp; `at` is its position, from 0 at the lowest value to 1. */
export interface WordedTick {
  readonly at: number;
  readonly value: number;
  readonly label: string;
}

/** A legend with text in one language. */
export type WordedLegend =
  | { readonly kind: 'classes'; readonly entries: readonly WordedEntry[] }
  | {
      readonly kind: 'ramp';
      readonly stops: readonly (WordedTick & { readonly colour: Rgba })[];
      readonly ticks: readonly WordedTick[];
    }
  | { readonly kind: 'colours'; readonly label: string };

/** Contents of a legend with final texts. */
export interface LegendPicture {
  readonly title: string;
  /** Shown under the title; empty or null for none. */
  readonly unit: string | null;
  /** A sentence that the reader must not miss, below the title; null for none. */
  readonly warning: string | null;
  readonly legend: WordedLegend;
  /** Row for places without a value; null for none. */
  readonly noDataLabel: string | null;
  /** Text of the last row if there are more classes; undefined otherwise. */
  readonly moreLabel: string | undefined;
  readonly scale: Scale;
}
