import type { Pages } from './pages.ts';
import { damaged, refused } from './refusals.ts';

const firstPageHeaderBytes = 100;
const interior = { table: 5, index: 2 } as const;
const leaf = { table: 13, index: 10 } as const;
type Family = keyof typeof leaf;
/** What SQLite itself stores in a cell at most. */
const maxPayloadBytes = 2 ** 31 - 1;

/** The content of a cell: its first bytes are on the page, the others on a chain of pages. */
export interface Payload {
  readonly bytes: number;
  /** Valid during the call. */
  readonly local: Buffer;
  /** The first page of the chain; undefined when all is on the page. */
  readonly chain: number | undefined;
}

/**
 * Takes every page of the B-tree at `root`, so that a tree that loops or shares pages with another is refused.
 * `onPayload` sees what lies in each cell, and has to take its chain of pages; without it the chains are only taken.
 * @throws {Problem}
 */
export function walkTree(
  pages: Pages,
  root: number,
  onPayload: (payload: Payload) => void = ({ chain, bytes, local }) =>
    chain === undefined ? undefined : takeChain(pages, chain, bytes - local.length),
): void {
  const left = [root];
  let family: Family | undefined;
  for (let number = left.pop(); number !== undefined; number = left.pop()) {
    const page = Buffer.from(pages.take(number));
    const start = number === 1 ? firstPageHeaderBytes : 0;
    const kind = page.readUInt8(start);
    const found = familyOf(kind);
    if (found === undefined && number === 1)
      throw refused('it is encrypted or damaged', 'Save it without a password');
    if (found === undefined || (family !== undefined && family !== found))
      throw damaged(`page ${number} of it holds no part of a table`);
    family = found;
    visitCells(page, { start, kind, family, usableBytes: pages.usableBytes, number }, left, onPayload);
  }
}

function familyOf(kind: number): Family | undefined {
  if (kind === interior.table || kind === leaf.table) return 'table';
  return kind === interior.index || kind === leaf.index ? 'index' : undefined;
}

interface PageHead {
  readonly start: number;
  readonly kind: number;
  readonly family: Family;
  readonly usableBytes: number;
  readonly number: number;
}

function visitCells(
  page: Buffer,
  { start, kind, family, usableBytes, number }: PageHead,
  children: number[],
  onPayload: (payload: Payload) => void,
): void {
  const isInterior = kind === interior[family];
  const pointersAt = start + (isInterior ? 12 : 8);
  const count = page.readUInt16BE(start + 3);
  if (pointersAt + count * 2 > usableBytes) throw damaged(`page ${number} of it lists more than it can hold`);
  if (isInterior) children.push(page.readUInt32BE(start + 8));
  const bounds = localBounds(usableBytes, family);
  for (let i = 0; i < count; i += 1) {
    let at = page.readUInt16BE(pointersAt + i * 2);
    if (at < pointersAt || at + 4 > usableBytes) throw damaged(`page ${number} of it points beyond itself`);
    if (isInterior) {
      children.push(page.readUInt32BE(at));
      if (family === 'table') continue;
      at += 4;
    }
    const size = readVarint(page, at);
    at = size.end;
    if (family === 'table') at = readVarint(page, at).end;
    if (size.value > maxPayloadBytes) throw damaged(`page ${number} of it holds a value without end`);
    const local = localBytes(size.value, bounds);
    const hasChain = local < size.value;
    if (at + local + (hasChain ? 4 : 0) > usableBytes)
      throw damaged(`page ${number} of it points beyond itself`);
    onPayload({
      bytes: size.value,
      local: page.subarray(at, at + local),
      chain: hasChain ? page.readUInt32BE(at + local) : undefined,
    });
  }
}

interface LocalBounds {
  readonly most: number;
  readonly least: number;
  readonly chained: number;
}

/** How much of a payload SQLite keeps on the page: section 1.6 of its file format. */
function localBounds(usableBytes: number, family: Family): LocalBounds {
  return {
    most: family === 'table' ? usableBytes - 35 : Math.floor(((usableBytes - 12) * 64) / 255) - 23,
    least: Math.floor(((usableBytes - 12) * 32) / 255) - 23,
    chained: usableBytes - 4,
  };
}

function localBytes(bytes: number, { most, least, chained }: LocalBounds): number {
  if (bytes <= most) return bytes;
  const local = least + ((bytes - least) % chained);
  return local <= most ? local : least;
}

/** Takes the pages that hold `bytes` more. @throws {Problem} */
function takeChain(pages: Pages, first: number, bytes: number): void {
  let next = first;
  for (let left = bytes; left > 0; left -= pages.usableBytes - 4) next = pages.takeLink(next);
}

/** The same, and gives what lies on them. @throws {Problem} */
export function readChain(pages: Pages, first: number, bytes: number): Buffer {
  const parts: Buffer[] = [];
  let next = first;
  for (let left = bytes; left > 0; left -= pages.usableBytes - 4) {
    const page = pages.take(next);
    next = page.readUInt32BE(0);
    parts.push(Buffer.from(page.subarray(4, 4 + Math.min(left, pages.usableBytes - 4))));
  }
  return Buffer.concat(parts);
}

/** SQLite's big-endian number of one to nine bytes. What it does not hold exactly is beyond every bound. @throws {Problem} */
export function readVarint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let i = 0; i < 9; i += 1) {
    const byte = bytes[at + i];
    if (byte === undefined) throw damaged('a number in it is cut short');
    if (i === 8) return { value: value * 256 + byte, end: at + 9 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  return { value, end: at + 9 };
}
