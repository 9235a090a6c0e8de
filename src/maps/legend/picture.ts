import type { LegendEntry } from './model.ts';
import type { Rgba } from '../style/colour-map.ts';

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
