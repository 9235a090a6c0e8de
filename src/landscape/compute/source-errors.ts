/** Pixels of a source could not be read although its headers could. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable';
  /** The key of the band: the key of a leaf or the code of a node. */
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`the raster of ${key} cannot be read`, options);
    this.key = key;
  }
}

/** A batch needs pixels that the file of a source does not contain. */
export class OutsideWindows extends Error {
  override readonly name = 'OutsideWindows';
  /** The key of the band. */
  readonly key: string;

  constructor(key: string) {
    super(`the file of ${key} has no pixels where they are needed`);
    this.key = key;
  }
}
