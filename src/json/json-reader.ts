import { isUtf8 } from 'node:buffer';
import { KiB, MiB } from '../common/units.ts';
import {
  backslash,
  brace,
  braceEnd,
  bracket,
  bracketEnd,
  colon,
  comma,
  isDigit,
  isHexDigit,
  minus,
  quote,
  show,
  words,
} from './characters.ts';
import { JsonFault, JsonLimit, NotUtf8 } from './json-fault.ts';
import { firstInvalid, lastCharacterEnd } from './utf8.ts';

/** Fills a part of `target` with the bytes that follow and says how many; 0 at the end. */
export type ByteSource = (target: Uint8Array) => number;

const chunkBytes = 256 * KiB;
/** Deeper nesting is no geodata. */
export const maxDepth = 100;
/** The largest value that is taken out as a whole: one feature's properties or geometry. */
const maxValueBytes = 200 * MiB;
const tooLarge = 'one value is larger than 200 MiB';

/**
 * Walks a JSON text (RFC 8259, strictly) without holding more than one chunk of it and the value that is being
 * captured. Whoever walks says at each value what becomes of it: gone into, captured as it stands, or skipped.
 * @throws {JsonFault} where the text is no JSON, no UTF-8, too deep, or a value too large to capture.
 */
export class JsonReader {
  readonly #source: ByteSource;
  readonly #chunkBytes: number;
  #buffer = Buffer.alloc(0);
  #base = 0; // file offset of the first byte in the buffer
  #position = 0;
  #end = 0;
  /** Where a value begins that is being captured; -1 for none. */
  #mark = -1;
  /** Bytes before this one are known to be UTF-8. */
  #checked = 0;
  #depth = 0;

  constructor(source: ByteSource, /** Of the whole text. */ expectedBytes = chunkBytes) {
    this.#source = source;
    this.#chunkBytes = Math.min(expectedBytes + 16, chunkBytes);
    while (this.#end < 3 && this.#fill()); // a byte-order mark is no part of the text
    if (this.#end >= 3 && this.#buffer.readUIntBE(0, 3) === 0xefbbbf) this.#position = 3;
  }

  /** The byte offset that is looked at. */
  get offset(): number {
    return this.#base + this.#position;
  }

  /** The byte that follows white space; -1 at the end. */
  peek(): number {
    for (;;) {
      while (this.#position < this.#end) {
        const byte = this.#buffer[this.#position] ?? -1;
        if (byte > 0x20) return byte;
        if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)
          throw this.#unexpected('a value');
        this.#position += 1;
      }
      if (!this.#fill()) return -1;
    }
  }

  /** The keys of the object that follows; at each, its value must be consumed. */
  *members(): Generator<string, void, void> {
    this.#enter(brace, 'an object');
    if (this.peek() !== braceEnd) {
      for (;;) {
        if (this.peek() !== quote) throw this.#unexpected('a name in quotes');
        const key = this.#captured(() => this.#skipString());
        this.#expect(colon, 'a colon');
        yield key.includes(backslash)
          ? String(JSON.parse(key.toString()))
          : key.toString('utf8', 1, key.length - 1);
        if (this.peek() !== comma) break;
        this.#position += 1;
      }
    }
    this.#expect(braceEnd, 'a comma or a closing brace');
    this.#depth -= 1;
  }

  /** Comes once per element of the array that follows; at each, the element must be consumed. */
  *elements(): Generator<void, void, void> {
    this.#enter(bracket, 'an array');
    if (this.peek() !== bracketEnd) {
      for (;;) {
        yield;
        if (this.peek() !== comma) break;
        this.#position += 1;
      }
    }
    this.#expect(bracketEnd, 'a comma or a closing bracket');
    this.#depth -= 1;
  }

  /** The text of the value that follows, byte by byte as it stands. */
  capture(): Buffer {
    this.peek();
    return this.#captured(() => this.skip());
  }

  /** Passes the value that follows, checking it. */
  skip(): void {
    const byte = this.peek();
    switch (byte) {
      case brace:
        return this.#skipObject();
      case bracket:
        return this.#skipArray();
      case quote:
        return this.#skipString();
      default:
        if (byte === minus || isDigit(byte)) return this.#skipNumber();
        if (byte in words) return this.#skipWord(words[byte] ?? '');
        if (byte === 0x4e || byte === 0x49) {
          throw new JsonFault(
            'there is NaN or Infinity, which JSON does not know (null stands for it)',
            this.offset,
          );
        }
        throw this.#unexpected('a value');
    }
  }

  /** Makes sure that nothing follows. */
  finish(): void {
    if (this.peek() !== -1) throw this.#unexpected('the end of the file');
  }

  // As `elements` and `members`, without generators: what is skipped is most of a file.

  #skipArray(): void {
    this.#enter(bracket, 'an array');
    if (this.peek() !== bracketEnd) {
      for (;;) {
        this.skip();
        if (this.peek() !== comma) break;
        this.#position += 1;
      }
    }
    this.#expect(bracketEnd, 'a comma or a closing bracket');
    this.#depth -= 1;
  }

  #skipObject(): void {
    this.#enter(brace, 'an object');
    if (this.peek() !== braceEnd) {
      for (;;) {
        if (this.peek() !== quote) throw this.#unexpected('a name in quotes');
        this.#skipString();
        this.#expect(colon, 'a colon');
        this.skip();
        if (this.peek() !== comma) break;
        this.#position += 1;
      }
    }
    this.#expect(braceEnd, 'a comma or a closing brace');
    this.#depth -= 1;
  }

  #skipString(): void {
    this.#position += 1;
    for (;;) {
      const byte = this.#take();
      if (byte === quote) return;
      if (byte === backslash) this.#skipEscape();
      else if (byte < 0x20) throw this.#unexpectedBefore('the rest of a text in quotes');
    }
  }

  #skipEscape(): void {
    const byte = this.#take();
    if (byte === 0x75) {
      for (let digit = 0; digit < 4; digit += 1) {
        if (!isHexDigit(this.#take())) throw this.#unexpectedBefore('four hexadecimal digits');
      }
    } else if (!'"\\/bfnrt'.includes(String.fromCharCode(byte))) {
      throw this.#unexpectedBefore('a known letter after the backslash');
    }
  }

  #skipNumber(): void {
    if (this.#current() === minus) this.#position += 1;
    if (this.#current() === 0x30) this.#position += 1;
    else this.#skipDigits();
    if (this.#current() === 0x2e) {
      this.#position += 1;
      this.#skipDigits();
    }
    if ((this.#current() | 0x20) === 0x65) {
      this.#position += 1;
      const sign = this.#current();
      if (sign === minus || sign === 0x2b) this.#position += 1;
      this.#skipDigits();
    }
  }

  #skipDigits(): void {
    if (!isDigit(this.#current())) throw this.#unexpected('a digit');
    do this.#position += 1;
    while (isDigit(this.#current()));
  }

  #skipWord(word: string): void {
    for (const letter of word) {
      if (this.#current() !== letter.charCodeAt(0)) throw this.#unexpected('true, false or null');
      this.#position += 1;
    }
  }

  #captured(pass: () => void): Buffer {
    const outer = this.#mark;
    // Relative to the file: the buffer moves while it is read.
    const start = this.offset;
    if (outer < 0) this.#mark = this.#position;
    pass();
    if (this.offset - start > maxValueBytes) throw new JsonLimit(tooLarge, start);
    const value = Buffer.from(this.#buffer.subarray(start - this.#base, this.#position));
    this.#mark = outer < 0 ? -1 : this.#mark;
    return value;
  }

  #enter(byte: number, what: string): void {
    this.#expect(byte, what);
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new JsonLimit(`values are nested deeper than ${maxDepth}`, this.offset);
  }

  #expect(byte: number, what: string): void {
    if (this.peek() !== byte) throw this.#unexpected(what);
    this.#position += 1;
  }

  /** The byte at hand, white space included; -1 at the end. */
  #current(): number {
    if (this.#position >= this.#end && !this.#fill()) return -1;
    return this.#buffer[this.#position] ?? -1;
  }

  #take(): number {
    const byte = this.#current();
    this.#position += 1;
    return byte;
  }

  /** Reads on; what is captured or not yet checked stays in the buffer. False at the end of the file. */
  #fill(): boolean {
    const kept = Math.min(this.#mark < 0 ? this.#position : this.#mark, this.#checked);
    if (this.#end - kept > maxValueBytes) throw new JsonLimit(tooLarge, this.#base + kept);
    const held = this.#buffer.subarray(kept, this.#end);
    let size = this.#chunkBytes;
    // Doubling keeps the copying of a large value linear.
    while (size < held.length * 2) size *= 2;
    const target = size === this.#buffer.length ? this.#buffer : Buffer.allocUnsafeSlow(size);
    held.copy(target);
    this.#buffer = target;
    this.#base += kept;
    this.#position -= kept;
    this.#checked -= kept;
    this.#end -= kept;
    if (this.#mark >= 0) this.#mark -= kept;
    const bytes = this.#source(this.#buffer.subarray(this.#end));
    this.#end += bytes;
    this.#checkUtf8(bytes === 0);
    return bytes > 0;
  }

  #checkUtf8(atEnd: boolean): void {
    const stop = atEnd ? this.#end : lastCharacterEnd(this.#buffer, this.#checked, this.#end);
    const read = this.#buffer.subarray(this.#checked, stop);
    if (!isUtf8(read)) {
      throw new NotUtf8(this.#base + this.#checked + firstInvalid(read));
    }
    this.#checked = stop;
  }

  #unexpectedBefore(expected: string): JsonFault {
    this.#position -= 1;
    return this.#unexpected(expected);
  }

  #unexpected(expected: string): JsonFault {
    const byte = this.#current();
    if (byte === -1) return new JsonFault(`the file ends where ${expected} is expected`, this.offset);
    const shown = show(this.#buffer.subarray(this.#position, this.#position + 4));
    return new JsonFault(`there is ${shown} where ${expected} is expected`, this.offset);
  }
}
