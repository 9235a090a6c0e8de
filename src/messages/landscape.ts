/**
 * The words for the graph of the Landscape Program in another language, by the codes of what they name. The English ones stand in the
 * graph itself, beside the numbers that they are about.
 */
export interface GraphWords<
  Slot extends string = string,
  Node extends string = string,
  Param extends string = string,
  Unit extends string = string,
> {
  /** By the keys of slots. */
  readonly slots: Readonly<Record<Slot, SlotWords>>;
  /** By the codes of nodes. */
  readonly nodes: Readonly<Record<Node, NodeWords>>;
  readonly params: Readonly<Record<Param, ParamWords>>;
  /** By the English units. */
  readonly units: Readonly<Record<Unit, string>>;
  /** The name of the dataset group of a slot, by the title of the slot. */
  readonly slotGroup: (title: string) => string;
  /** The name of the dataset group of a node's outputs. */
  readonly nodeGroup: (code: string, title: string) => string;
}

interface BandWords {
  readonly title: string;
  /** The names of its classes, by their values; numbers have none. */
  readonly classes?: Readonly<Record<number, string>>;
}

export interface SlotWords extends BandWords {
  /** The quantity that the values measure. */
  readonly quantity: string;
  /** Open data that can fill the slot. */
  readonly source: string;
}

export interface NodeWords extends BandWords {
  /** Two sentences on how to read the map of its output. */
  readonly reading: string;
}

export interface ParamWords {
  readonly title: string;
  readonly description: string;
}

type Slot =
  | 'dem'
  | 'land-cover'
  | 'protected-areas'
  | 'precipitation'
  | 'pet'
  | 'temperature-sum'
  | 'snow-depth'
  | 'soil-texture'
  | 'soil-organic-carbon'
  | 'soil-salinity'
  | 'ndvi'
  | 'distance-water'
  | 'distance-road';
type Node = `0${1 | 2 | 3 | 4 | 5}` | `1${1 | 2 | 3 | 4}` | `2${1 | 2 | 3 | 4 | 5 | 6}` | `3${1 | 2 | 3 | 4}`;
type Param = 'window_size' | 'tie_priority' | 'v1_min_s_e12' | 'v1_min_s_e3' | 'v2_min_s_e3' | 'v2_min_s_e4';
type Unit = 'm' | 'cm' | 'mm/yr' | 'C d/yr' | 'g/kg' | 'dS/m' | 'percent' | 't/ha/yr';

/** All words of the graph in another language: one that is missing is an error of types. */
export type TranslatedGraph = GraphWords<Slot, Node, Param, Unit>;
