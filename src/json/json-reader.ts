import { isUtf8 } from 'node:buffer';
import { KiB, MiB } from '../lib/units.ts';
import { expectedInJson, firstCharacter, jsonFaults } from '../messages/vector/english.ts';
import { JsonFault, JsonLimit, NotUtf8, firstInvalid, lastCharacterEnd } from './json-fault.ts';
import type { Message } from '../lib/message.ts';

/** Bytes of the characters of JSON syntax. */
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const colon = 0x3a;
const bracket = 0x5b;
const backslash = 0x5c;
const bracketEnd = 0x5d;
const brace = 0x7b;
const braceEnd = 0x7d;

/** JSON literals by their first byte. */
const words: Readonly<Record<number, string>> = { 0x74: 'true', 0x66: 'false', 0x6e: 'null' };

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** Fills the start of `target` with the next bytes and returns their number; 0 at the end. */
export type ByteSource = (target: Uint8Array) => number;

const chunkBytes = 256 * KiB;
/** Maximum nesting depth; geodata is flatter. */
export const maxDepth = 100;
/** Maximum size of one captured value, such as the properties or geometry of a feature. */
const maxValueBytes = 200 * MiB;
const tooLarge = jsonFaults.tooLarge(maxValueBytes / MiB);

/**
 * Reads a JSON text (RFC 8259, strictly) and holds one chunk and the value that is being captured. For each value, the
 * caller decides whether to enter, capture or skip it.
 * @throws {JsonFault} if the text is not JSON or UTF-8, is nested too deep, or a captured value is too large.
 */
export class JsonReader {
  readonly #source: ByteSource;
  readonly #chunkBytes: number;
  #buffer = Buffer.alloc(0);
  #base = 0; // file offset of the first byte in the buffer
  #position = 0;
  #end = 0;
  /** Start of the value that is being captured; -1 for none. */
  #mark = -1;
  /** All bytes before this offset are valid UTF-8. */
  #checked = 0;
  #depth = 0;

  constructor(source: ByteSource, /** Length of the text in bytes. */ expectedBytes = chunkBytes) {
    this.#source = source;
    this.#chunkBytes = Math.min(expectedBytes + 16, chunkBytes);
    while (this.#end < 3 && this.#fill()); // a byte-order mark is not part of the text
    if (this.#end >= 3 && this.#buffer.readUIntBE(0, 3) === 0xefbbbf) this.#position = 3;
  }

  /** Current byte offset. */
  get offset(): number {
    return this.#base + this.#position;
  }

  /** Returns the next byte after white space; -1 at the end. */
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

  /** Yields the keys of the next object; the caller must consume each value. */
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

  /** Yields once per element of the next array; the caller must consume each element. */
  *elements(): Generator<void, void, void> {
    this.#enter(bracket, expectedInJson.array);
    if (this.peek() !== bracketEnd)
      do yield;
      while (this.#passComma());
    this.#leave(bracketEnd, expectedInJson.arrayEnd);
  }

  /** Returns the bytes of the next value verbatim. */
  capture(): Buffer {
    this.peek();
    return this.#captured(() => this.skip());
  }

  /** Validates the next value and passes over it. */
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

  /** @throws {JsonFault} if anything but white space follows. */
  finish(): void {
    if (this.peek() !== -1) throw this.#unexpected(expectedInJson.end);
  }

  // Like `elements` and `members`, but without generators: most of a file is skipped.

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
    // A file offset, because the buffer moves while it is filled.
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

  /** Returns the current byte, including white space; -1 at the end. */
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

  /** Reads more bytes and keeps those that are captured or not yet validated. Returns false at the end of the file. */
  #fill(): boolean {
    const kept = Math.min(this.#mark < 0 ? this.#position : this.#mark, this.#checked);
    if (this.#end - kept > maxValueBytes) throw new JsonLimit(tooLarge, this.#base + kept);
    const held = this.#buffer.subarray(kept, this.#end);
    let size = this.#chunkBytes;
    // Doubling the buffer keeps the cost of copying linear.
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
