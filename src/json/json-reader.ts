import { isUtf8 } from 'node:buffer';
import { KiB, MiB } from '../lib/units.ts';
import { expectedInJson, firstCharacter, jsonFaults } from '../messages/vector.ts';
import { JsonFault, JsonLimit, NotUtf8, firstInvalid, lastCharacterEnd } from './json-fault.ts';
import type { Message } from '../lib/message.ts';

/** The characters that JSON is made of, as bytes. */
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const colon = 0x3a;
const bracket = 0x5b;
const backslash = 0x5c;
const bracketEnd = 0x5d;
const brace = 0x7b;
const braceEnd = 0x7d;

/** The values that are words, by their first letter. */
const words: Readonly<Record<number, string>> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' };

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** Fills a part of `target` with the bytes that follow and says how many; 0 at the end. */
export type ByteSource = (target: Uint8Array) => number;

const chunkBytes = 256 * KiB;
/** Geodata is not nested deeper. */
export const maxDepth = 100;
/** The largest value that is taken out as a whole: one feature's properties or geometry. */
const maxValueBytes = 200 * MiB;
const tooLarge = jsonFaults.tooLarge(maxValueBytes / MiB);

/**
 * Walks a JSON text (RFC 8259, strictly) without holding more than one chunk of it and the value that is being
 * captured. The caller decides at each value what becomes of it: gone into, captured as it stands, or skipped.
 * @throws {JsonFault} where the text is not JSON or UTF-8, is too deep, or a value too large to capture.
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

  constructor(source: ByteSource, /** Length of the whole text. */ expectedBytes = chunkBytes) {
    this.#source = source;
    this.#chunkBytes = Math.min(expectedBytes + 16, chunkBytes);
    while (this.#end < 3 && this.#fill()); // a byte-order mark is not part of the text
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
          throw this.#unexpected(expectedInJson.value);
        this.#position += 1;
      }
      if (!this.#fill()) return -1;
    }
  }

  /** The keys of the object that follows; at each, its value must be consumed. */
  *members(): Generator<string, void, void> {
    this.#enter(brace, expectedInJson.object);
    if (this.peek() !== braceEnd)
      do {
        if (this.peek() !== quote) throw this.#unexpected(expectedInJson.name);
        const key = this.#captured(() => this.#skipString());
        this.#expect(colon, expectedInJson.colon);
        yield key.includes(backslash)
          ? String(JSON.parse(key.toString()))
          : key.toString('utf8', 1, key.length - 1);
      } while (this.#passComma());
    this.#leave(braceEnd, expectedInJson.objectEnd);
  }

  /** Comes once per element of the array that follows; at each, the element must be consumed. */
  *elements(): Generator<void, void, void> {
    this.#enter(bracket, expectedInJson.array);
    if (this.peek() !== bracketEnd)
      do yield;
      while (this.#passComma());
    this.#leave(bracketEnd, expectedInJson.arrayEnd);
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
          throw new JsonFault(jsonFaults.notFinite, this.offset);
        }
        throw this.#unexpected(expectedInJson.value);
    }
  }

  /** Makes sure that nothing follows. */
  finish(): void {
    if (this.peek() !== -1) throw this.#unexpected(expectedInJson.end);
  }

  // As `elements` and `members`, without generators: what is skipped is most of a file.

  #skipArray(): void {
    this.#enter(bracket, expectedInJson.array);
    if (this.peek() !== bracketEnd)
      do this.skip();
      while (this.#passComma());
    this.#leave(bracketEnd, expectedInJson.arrayEnd);
  }

  #skipObject(): void {
    this.#enter(brace, expectedInJson.object);
    if (this.peek() !== braceEnd)
      do {
        if (this.peek() !== quote) throw this.#unexpected(expectedInJson.name);
        this.#skipString();
        this.#expect(colon, expectedInJson.colon);
        this.skip();
      } while (this.#passComma());
    this.#leave(braceEnd, expectedInJson.objectEnd);
  }

  #skipString(): void {
    this.#position += 1;
    for (;;) {
      const byte = this.#take();
      if (byte === quote) return;
      if (byte === backslash) this.#skipEscape();
      else if (byte < 0x20) throw this.#unexpectedBefore(expectedInJson.stringEnd);
    }
  }

  #skipEscape(): void {
    const byte = this.#take();
    if (byte === 0x75) {
      for (let digit = 0; digit < 4; digit += 1) {
        if (!isHexDigit(this.#take())) throw this.#unexpectedBefore(expectedInJson.hexDigits);
      }
    } else if (!'"\\/bfnrt'.includes(String.fromCharCode(byte))) {
      throw this.#unexpectedBefore(expectedInJson.escape);
    }
  }

  #skipNumber(): void {
    this.#passIf(minus);
    if (!this.#passIf(0x30)) this.#skipDigits();
    if (this.#passIf(0x2e)) this.#skipDigits();
    if (this.#passIf(0x65) || this.#passIf(0x45)) {
      if (!this.#passIf(minus)) this.#passIf(0x2b);
      this.#skipDigits();
    }
  }

  #skipDigits(): void {
    if (!isDigit(this.#current())) throw this.#unexpected(expectedInJson.digit);
    do this.#position += 1;
    while (isDigit(this.#current()));
  }

  #skipWord(word: string): void {
    for (const letter of word)
      if (!this.#passIf(letter.charCodeAt(0))) throw this.#unexpected(expectedInJson.word);
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

  #enter(byte: number, what: Message): void {
    this.#expect(byte, what);
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new JsonLimit(jsonFaults.tooDeep(maxDepth), this.offset);
  }

  #leave(byte: number, what: Message): void {
    this.#expect(byte, what);
    this.#depth -= 1;
  }

  #passComma(): boolean {
    this.peek();
    return this.#passIf(comma);
  }

  #expect(byte: number, what: Message): void {
    if (this.peek() !== byte) throw this.#unexpected(what);
    this.#position += 1;
  }

  /** The byte at hand, white space included; -1 at the end. */
  #current(): number {
    if (this.#position >= this.#end && !this.#fill()) return -1;
    return this.#buffer[this.#position] ?? -1;
  }

  #passIf(byte: number): boolean {
    if (this.#current() !== byte) return false;
    this.#position += 1;
    return true;
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
    if (!isUtf8(read)) throw new NotUtf8(this.#base + this.#checked + firstInvalid(read));
    this.#checked = stop;
  }

  #unexpectedBefore(expected: Message): JsonFault {
    this.#position -= 1;
    return this.#unexpected(expected);
  }

  #unexpected(expected: Message): JsonFault {
    const byte = this.#current();
    if (byte === -1) return new JsonFault(jsonFaults.cutShort(expected), this.offset);
    const found = this.#buffer.subarray(this.#position, this.#position + 4);
    return new JsonFault(jsonFaults.unexpected(firstCharacter(found), expected), this.offset);
  }
}
