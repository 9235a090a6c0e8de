/** What a handler may ask of the api. */
export interface ThreadContext {
  /** Bytes of an object; shorter at its end. @throws when the object is gone or the store is away. */
  read(key: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** The object's size in bytes; undefined when there is none. */
  size(key: string): Promise<number | undefined>;
}
