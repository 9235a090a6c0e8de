/** An input of the Landscape Program, with its name in the language of the reader. */
export interface Slot {
  readonly code: string;
  readonly title: string;
}

/** Choices that hold for all files that are added together. */
export interface Destination {
  /** Not asked for where a slot decides it. */
  readonly categoryId?: string;
  readonly maxBytes: number;
  /** New names of files, by the names that they have. */
  readonly names?: ReadonlyMap<string, string>;
  readonly groupId?: string;
  /** Kept with each of the files; the form of a slot has no place for it. */
  readonly meta?: Readonly<Record<string, unknown>>;
}
