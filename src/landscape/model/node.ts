import type { Band, ClassBand, FloatBand, TileBands, TileContext } from './bands.ts';
import type { ParamName } from './params.ts';
import type { Lookup, RatingTable } from './rating.ts';

export interface LegendEntry {
  readonly value: number;
  /** `#rrggbb` */
  readonly color: string;
  readonly label: string;
}

/** Colours of single values, or of a ramp between stops. */
export interface Legend {
  readonly kind: 'values' | 'ramp';
  readonly entries: readonly LegendEntry[];
}

export type Stage = 0 | 1 | 2 | 3;

/** One computation of the graph: from bands with smaller codes to its output. */
export interface GraphNode<Output extends Band = FloatBand | ClassBand> {
  /** `XY`: X the stage, Y the function within it. */
  readonly code: string;
  readonly stage: Stage;
  /** Its key is the node's code. */
  readonly output: Output;
  /** The bands that it reads; the elevation of the reference grid only where its values are used. */
  readonly inputs: readonly Band[];
  /** The parameters that its values depend on. */
  readonly params: readonly ParamName[];
  /** The elevation that it reads around a pixel: none, the next pixel, or those one kilometre away. */
  readonly halo: 'none' | 'pixel' | 'lag';
  readonly legend: Legend;
  /** The formula with constants and units, in Markdown. */
  readonly formula: string;
  /** The publications of formula, classes and constants, and which of them are the program's own; in Markdown. */
  readonly source: string;
  /** The tables of its formula, by what they rate: inputs by their names. */
  readonly tables: Readonly<Record<string, RatingTable | Lookup>>;
  /** Reads the bands of `inputs` and nothing else, and fills the band of `output` on the whole tile. */
  evaluate(bands: TileBands, context: TileContext): void;
}
