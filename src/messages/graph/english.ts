/**
 * Words of the Landscape Program's graph in another language, by code. The English ones are in the graph itself, beside
 * the numbers that they describe.
 */
export interface GraphWords<
  Slot extends string = string,
  Node extends string = string,
  Param extends string = string,
  Unit extends string = string,
> {
  /** By slot key. */
  readonly slots: Readonly<Record<Slot, SlotWords>>;
  /** By node code. */
  readonly nodes: Readonly<Record<Node, NodeWords>>;
  readonly params: Readonly<Record<Param, ParamWords>>;
  /** By English unit. */
  readonly units: Readonly<Record<Unit, string>>;
  readonly groups: GroupWords;
}

/** Initial names and descriptions of the program's category and dataset groups. */
export interface GroupWords {
  readonly category: { readonly name: string; readonly description: string };
  readonly slotName: (title: string) => string;
  readonly nodeName: (code: string, title: string) => string;
  /** Parts of the description of a slot. */
  readonly missingIsZero: string;
  readonly wholeNumbers: string;
  readonly unit: (unit: string) => string;
  readonly range: (min: number, max: number) => string;
  readonly upload: (source: string) => string;
  /** Parts of the description of a node's output. */
  readonly madeBy: (code: string) => string;
  readonly noValue: (value: number) => string;
}

interface BandWords {
  readonly title: string;
  /** Names of classes by value; absent for numbers. */
  readonly classes?: Readonly<Record<number, string>>;
}

export interface SlotWords extends BandWords {
  /** The quantity that the values measure. */
  readonly quantity: string;
  /** Open data that can fill the slot. */
  readonly source: string;
  readonly how: string;
}

export interface NodeWords extends BandWords {
  /** Two sentences on how to read the map of the output. */
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

/** All words of the graph in another language; a missing one is a type error. */
export type TranslatedGraph = GraphWords<Slot, Node, Param, Unit>;

/** Returns the display name of a dataset group of the graph: the title of its slot or node, or else its code. */
export function titleOfGroup({ slots, nodes }: GraphWords, group: string): string {
  const [, slot = ''] = /^landscape-in-(.+)$/.exec(group) ?? [];
  const [, node = ''] = /^landscape-(\d\d)-/.exec(group) ?? [];
  const words = Object.hasOwn(slots, slot)
    ? slots[slot]
    : Object.hasOwn(nodes, node)
      ? nodes[node]
      : undefined;
  return words?.title ?? group;
}
