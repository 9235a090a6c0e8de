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
  /** The names of its classes, by their values; none of numbers. */
  readonly classes: Readonly<Record<number, string>>;
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
