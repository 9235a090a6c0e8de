/** The bytes are not ASN.1 in DER or BER, or exceed the size of a signature. */
export class NotDer extends Error {
  override readonly name = 'NotDer';
}

const maxDepth = 24;
const maxElements = 20_000;
const constructedBit = 0x20;
const highTag = 0x1f;
const longLength = 0x80;

/** An ASN.1 element. */
export interface Element {
  /** The identifier octet: class, form and number. */
  readonly tag: number;
  /** All bytes, including the header. */
  readonly bytes: Buffer;
  readonly content: Buffer;
  /** Children of a constructed element. */
  readonly children: readonly Element[];
}

/** Reads the single element that the bytes contain, with definite lengths or the indefinite lengths of BER. @throws {NotDer} */
export function readElement(bytes: Buffer): Element {
  let elements = 0;

  function read(from: number, end: number, depth: number): { element: Element; next: number } {
    elements += 1;
    if (depth > maxDepth || elements > maxElements) throw new NotDer('too much of it');
    if (from + 2 > end) throw new NotDer('an element is cut short');
    const tag = bytes.readUInt8(from);
    const first = bytes.readUInt8(from + 1);
    if ((tag & highTag) === highTag) throw new NotDer('a tag of several bytes');
    const isConstructed = (tag & constructedBit) !== 0;
    let begin = from + 2;
    let close: number | undefined = begin + first;
    if (first === longLength) close = undefined;
    else if (first > longLength) {
      const size = first - longLength;
      if (size > 4 || begin + size > end) throw new NotDer('a length of too many bytes');
      close = begin + size + bytes.readUIntBE(begin, size);
      begin += size;
    }
    if (close === undefined && !isConstructed) throw new NotDer('an open length of bytes');
    if (close !== undefined && close > end) throw new NotDer('an element is longer than what it is in');
    const children: Element[] = [];
    let at = begin;
    if (isConstructed) {
      while (close === undefined ? !isEnd(at, end) : at < close) {
        const child = read(at, close ?? end, depth + 1);
        children.push(child.element);
        at = child.next;
      }
    }
    const contentEnd = close ?? at;
    const next = close ?? at + 2;
    const element = {
      tag,
      bytes: bytes.subarray(from, next),
      content: bytes.subarray(begin, contentEnd),
      children,
    };
    return { element, next };
  }

  function isEnd(at: number, end: number): boolean {
    if (at + 2 > end) throw new NotDer('an open length without an end');
    return bytes.readUInt16BE(at) === 0;
  }

  const { element, next } = read(0, bytes.length, 0);
  if (next !== bytes.length) throw new NotDer('bytes after the end');
  return element;
}

/** Returns the bytes of an octet string, which BER may split. */
export function octetsOf({ content, children }: Element): Buffer {
  return children.length === 0 ? content : Buffer.concat(children.map(octetsOf));
}

/** Formats an object identifier with dots. */
export function oidOf({ content }: Element): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(number);
      number = 0;
    }
  }
  const [first = 0, ...others] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...others].join('.');
}
