import { type Rgba, thinOut } from '../style/colour-map.ts';
import { readRangeLabel } from './range-label.ts';
import type { Rule } from '../style/sld-read.ts';

/** What a class stands for: numbers, of which either end may be infinite and the lower belongs to it, with `upTo` the upper, or words. */
export type ClassLabel =
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly upTo?: true }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'others' };

/** An entry of a legend. */
export interface LegendEntry {
  readonly colour: Rgba;
  readonly label: ClassLabel;
  /** The numbers that it stands for, where its label is words. */
  readonly range?: { readonly from: number; readonly to: number };
  /** How it is shown: an area, a line or a point. */
  readonly sign: 'area' | 'line' | 'point';
  /** A class that is there for its number alone: it has no colour, or no pixel has it. */
  readonly isHidden: boolean;
}

/** A legend is a list of classes, or a ramp from one number to another. */
export type LegendModel =
  | { readonly kind: 'classes'; readonly entries: readonly LegendEntry[] }
  | { readonly kind: 'ramp'; readonly stops: readonly RampStop[] }
  | { readonly kind: 'colours' };

interface RampStop {
  readonly value: number;
  readonly colour: Rgba;
  /** What the style calls it; absent where that is nothing but its number. */
  readonly label?: string;
}

/** Stops that a list of labels has room for. */
const maxNamedStops = 12;

/** The stops of a ramp that the style has named, as many as a list has room for. */
export function namedStops(stops: readonly RampStop[]): readonly (RampStop & { readonly label: string })[] {
  const named = stops.flatMap(({ label, ...stop }) => (label === undefined ? [] : { ...stop, label }));
  return thinOut(named, maxNamedStops);
}

/** A legend whose ramp has numbers alone, which are in the language of their readers: the labels of the service's own styles are English. */
export function withoutNames(model: LegendModel): LegendModel {
  if (model.kind !== 'ramp') return model;
  return { kind: 'ramp', stops: model.stops.map(({ value, colour }) => ({ value, colour })) };
}

const signs = { polygon: 'area', line: 'line', point: 'point' } as const;

/** Returns what a legend shows of rules, each by its uppermost sign with a colour; rules without colours have no entry. */
export function ruleEntries(rules: readonly Pick<Rule, 'title' | 'signs'>[]): readonly LegendEntry[] {
  return rules.flatMap(({ title, signs: drawn }): LegendEntry[] => {
    const sign = drawn.findLast(({ fill, stroke }) => fill !== undefined || stroke !== undefined);
    const colour = sign?.fill ?? sign?.stroke?.colour;
    if (sign === undefined || colour === undefined) return [];
    const range = readRangeLabel(title);
    const label =
      range === undefined ? ({ kind: 'text', text: title } as const) : ({ kind: 'range', ...range } as const);
    return [{ colour, label, sign: signs[sign.kind], isHidden: false }];
  });
}

/** How much larger than on a plain screen a picture is. */
export type Scale = 1 | 2;

/** A class in the words of a language. */
export interface WordedEntry {
  readonly label: string;
  readonly colour: Rgba;
  readonly sign: LegendEntry['sign'];
  /** The numbers that it stands for, where it stands for numbers. */
  readonly range: { readonly from: number; readonly to: number } | undefined;
}

/** A number beside a ramp; `at` is its share of the ramp's length, 0 at the lowest value. */
export interface WordedTick {
  readonly at: number;
  readonly value: number;
  readonly label: string;
}

/** A legend in the words of a language. */
export type WordedLegend =
  | { readonly kind: 'classes'; readonly entries: readonly WordedEntry[] }
  | {
      readonly kind: 'ramp';
      readonly stops: readonly (WordedTick & { readonly colour: Rgba })[];
      readonly ticks: readonly WordedTick[];
    }
  | { readonly kind: 'colours'; readonly label: string };

/** What a legend shows, in words that are ready. */
export interface LegendPicture {
  readonly title: string;
  /** Shown below the title; empty or null where there is none. */
  readonly unit: string | null;
  readonly legend: WordedLegend;
  /** The row for places without a value; null where there are none. */
  readonly noDataLabel: string | null;
  /** States in the last row that there are more classes; undefined where there are not. */
  readonly moreLabel: string | undefined;
  readonly scale: Scale;
}
