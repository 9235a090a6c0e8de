import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MiB } from '../../../lib/units.ts';
import { sqliteProblems } from '../../../messages/geopackage.ts';

const fileHeaderBytes = 100;
const pageSizeAt = 16;
/** Kinds of pages: those with pages below them, and those at the bottom, of indexes and of tables. */
const interiorKinds: readonly number[] = [2, 5];
const leafKinds: readonly number[] = [10, 13];
/** SQLite itself reads no deeper, but its check follows a chain of pages until it is out of stack. */
const maxDepth = 20;

/** A page at the bottom of a tree, and where its cells begin. */
interface Leaf {
  readonly page: Buffer;
  readonly cells: readonly number[];
}

/** The trees of an SQLite file, read without SQLite. */
export interface Trees extends Disposable {
  /**
   * Goes through the tree at the page `root`. All trees together end after as many pages as the file has.
   * @throws {Problem} when pages are used twice, or hold no part of a tree.
   */
  leaves(root: number): Generator<Leaf, void, void>;
}

/** Opens an SQLite file. Source of its layout: "Database File Format", sections 1.3 and 1.6. @throws {Problem} */
export function openTrees(path: string): Trees {
  const file = openSync(path, 'r');
  const close = () => closeSync(file);
  try {
    const header = Buffer.alloc(fileHeaderBytes);
    if (readSync(file, header, 0, fileHeaderBytes, 0) < fileHeaderBytes) throw sqliteProblems.cutShort();
    const stored = header.readUInt16BE(pageSizeAt);
    const pageBytes = stored === 1 ? 65_536 : stored;
    if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0) throw sqliteProblems.impossiblePageSize();
    let pagesLeft = Math.floor(fstatSync(file).size / pageBytes);

    const readPage = (number: number): Buffer => {
      const page = Buffer.allocUnsafe(pageBytes);
      if (number === 0 || readSync(file, page, 0, pageBytes, (number - 1) * pageBytes) < pageBytes)
        throw sqliteProblems.cutShort();
      return page;
    };
    function* leaves(root: number): Generator<Leaf, void, void> {
      const open = [{ number: root, depth: 1 }];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const { number, depth } = next;
        const page = readPage(number);
        if (pagesLeft === 0 || depth > maxDepth) throw sqliteProblems.repeatedPages();
        pagesLeft -= 1;
        const start = number === 1 ? fileHeaderBytes : 0;
        const kind = page.readUInt8(start);
        const isInterior = interiorKinds.includes(kind);
        if (!isInterior && !leafKinds.includes(kind))
          throw number === 1 ? sqliteProblems.encrypted() : sqliteProblems.brokenTree(number);
        const cells = cellsOf(page, start, isInterior);
        if (cells === undefined) throw sqliteProblems.brokenTree(number);
        if (!isInterior) yield { page, cells };
        else
          for (const at of [start + 8, ...cells])
            open.push({ number: page.readUInt32BE(at), depth: depth + 1 });
      }
    }
    return { leaves, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The places of the cells of a page, of which at least four bytes lie on it; absent when they cannot be right. */
function cellsOf(page: Buffer, start: number, isInterior: boolean): readonly number[] | undefined {
  const pointersAt = start + (isInterior ? 12 : 8);
  const count = page.readUInt16BE(start + 3);
  if (pointersAt + 2 * count > page.length) return undefined;
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(pointersAt + 2 * index));
  return cells.every((at) => at + 4 <= page.length) ? cells : undefined;
}

/** Tables, views, indexes and triggers; a layer has about fifteen. SQLite's time grows with the square: these take it seconds. */
const maxSchemaEntries = 20_000;
/** The text by which they are defined. */
const maxSchemaBytes = 32 * MiB;

/**
 * Reads how long SQLite's list of tables is, which SQLite would take into memory as a whole.
 * @throws {Problem} when it is longer than that of any geodata, or damaged.
 */
export function checkSchemaSize(trees: Trees): void {
  let [entries, bytes] = [0, 0];
  for (const { page, cells } of trees.leaves(1)) {
    entries += cells.length;
    for (const at of cells) bytes += readVarint(page, at);
    if (entries > maxSchemaEntries) throw sqliteProblems.tooManyEntries(maxSchemaEntries);
    if (bytes > maxSchemaBytes) throw sqliteProblems.longDefinitions(maxSchemaBytes / MiB);
  }
}

/** SQLite's number of up to nine bytes, with seven bits in each; right for all that are no larger than any limit. */
function readVarint(page: Buffer, at: number): number {
  let value = 0;
  for (const byte of page.subarray(at, at + 9)) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return value;
  }
  return value;
}
