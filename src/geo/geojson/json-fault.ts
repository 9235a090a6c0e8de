/** What is wrong with a JSON text, and at which byte. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly offset: number;

  constructor(what: string, offset: number) {
    super(what);
    this.offset = offset;
  }
}
