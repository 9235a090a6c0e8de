/** An input of the Landscape Program, with its name in the language of the reader. */
export interface Slot {
  readonly code: string;
  readonly title: string;
}

/** Choices for all files that are added together. */
export interface Destination {
  /** Undefined if a slot determines it. */
  readonly categoryId?: string;
  readonly maxBytes: number;
  /** New names of files, by their original names. */
  readonly names?: ReadonlyMap<string, string>;
  readonly groupId?: string;
  /** The unit of the values, if a table says it. */
  readonly unit?: string;
  /** Stored with each of the files; uploads to a slot cannot have it. */
  readonly meta?: Readonly<Record<string, unknown>>;
}
