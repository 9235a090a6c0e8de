import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { damaged, refused } from './refusals.ts';

const headerBytes = 100;
/** Where in the first 100 bytes of an SQLite file each figure lies. */
const pageSizeAt = 16;
const reservedAt = 20;
const changeCounterAt = 24;
const pageCountAt = 28;
const encodingAt = 56;
const countValidForAt = 92;
const encodings = { 1: 'utf-8', 2: 'utf-16le', 3: 'utf-16be' } as const;

/** An SQLite file as pages, each of which may be taken once: what is asked for again would make a loop. */
export interface Pages extends Disposable {
  /** Bytes of a page that hold content. */
  readonly usableBytes: number;
  readonly encoding: (typeof encodings)[keyof typeof encodings];
  /** The page of this number, counted from 1; valid until the next one is taken. @throws {Problem} */
  take(number: number): Buffer;
  /** The first four bytes of the page: what follows it in a chain. @throws {Problem} */
  takeLink(number: number): number;
}

/**
 * Opens an SQLite file without SQLite.
 * @throws {Problem} when its header contradicts itself or the file's size.
 */
export function openPages(path: string): Pages {
  const file = openSync(path, 'r');
  try {
    return readHeader(file);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function readHeader(file: number): Pages {
  const header = Buffer.alloc(headerBytes);
  if (readSync(file, header, 0, headerBytes, 0) < headerBytes) throw cutShort();
  const pageSize = pageSizeOf(header);
  const pageCount = Math.floor(fstatSync(file).size / pageSize);
  const countIsValid = header.readUInt32BE(changeCounterAt) === header.readUInt32BE(countValidForAt);
  if (pageCount === 0 || (countIsValid && header.readUInt32BE(pageCountAt) > pageCount)) throw cutShort();

  const taken = new Uint8Array(pageCount + 1);
  const page = Buffer.alloc(pageSize);
  const read = (number: number, bytes: number): Buffer => {
    if (number < 1 || number > pageCount)
      throw damaged(`it refers to page ${number}, which it does not have`);
    if (taken[number] === 1) throw damaged(`page ${number} of it is used twice`);
    taken[number] = 1;
    readSync(file, page, 0, bytes, (number - 1) * pageSize);
    return page;
  };
  return {
    usableBytes: pageSize - header.readUInt8(reservedAt),
    encoding: encodingOf(header),
    take: (number) => read(number, pageSize),
    takeLink: (number) => read(number, 4).readUInt32BE(0),
    [Symbol.dispose]: () => closeSync(file),
  };
}

/** A power of two from 512 to 65,536, of which at least 480 bytes are of use. */
function pageSizeOf(header: Buffer): number {
  const stored = header.readUInt16BE(pageSizeAt);
  const pageSize = stored === 1 ? 65_536 : stored;
  const isPower = pageSize >= 512 && (pageSize & (pageSize - 1)) === 0;
  if (!isPower || pageSize - header.readUInt8(reservedAt) < 480)
    throw damaged('its header names a size of pages that can not be');
  return pageSize;
}

function encodingOf(header: Buffer): Pages['encoding'] {
  switch (header.readUInt32BE(encodingAt)) {
    case 0:
    case 1:
      return encodings[1];
    case 2:
      return encodings[2];
    case 3:
      return encodings[3];
    default:
      throw refused('it is encrypted or damaged', 'Save it without a password');
  }
}

function cutShort() {
  return damaged('it is cut short');
}
