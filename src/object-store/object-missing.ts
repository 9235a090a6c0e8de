/** No object has this key. In a file of its own because a child process that reads features loads it without the metrics of a store. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
  constructor(key: string, options?: ErrorOptions) {
    super(`no object ${key}`, options);
  }
}
