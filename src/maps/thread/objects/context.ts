/** Services of the api for handlers. */
export interface ThreadContext {
  /** Reads bytes of an object, truncated at its end. @throws if the object is gone or the store is unavailable. */
  read(key: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the object's size in bytes; undefined if there is none. */
  size(key: string): Promise<number | undefined>;
}
