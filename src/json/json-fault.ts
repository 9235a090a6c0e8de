import type { Message } from '../lib/message.ts';
import { jsonFaults } from '../messages/vector/english.ts';
import { isUtf8 } from 'node:buffer';

/** A fault in a JSON text with its byte offset. */
export class JsonFault extends Error {
  override readonly name: string = 'JsonFault';
  readonly what: Message;
  readonly offset: number;

  constructor(what: Message, offset: number) {
    super(what.english);
    this.what = what;
    this.offset = offset;
  }
}

/** A byte that is invalid in UTF-8. */
export class NotUtf8 extends JsonFault {
  override readonly name = 'NotUtf8';

  constructor(offset: number) {
    super(jsonFaults.notUtf8, offset);
  }
}

/** Valid JSON that exceeds a limit of this reader. */
export class JsonLimit extends JsonFault {
  override readonly name = 'JsonLimit';
}

/** Returns the end of the last complete character; the bytes behind it may continue in the next chunk. */
export function lastCharacterEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = end - 1; at >= Math.max(from, end - 4); at -= 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return at + length <= end ? end : at;
    }
  }
  return end;
}

/** Returns the offset of the first byte that is not valid UTF-8. */
export function firstInvalid(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0x80 ? 2 : 1;
    if (!isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return at;
}
