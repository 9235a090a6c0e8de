import { type FileHandle, open } from 'node:fs/promises';
import { MiB } from '../../../lib/units.ts';
import { sourceProblems } from '../../../messages/sources/english.ts';

const chunkBytes = 4 * MiB;
/** Longest message that is looked for, so that none is missed between two chunks. */
const messageBytes = 64;

/**
 * Refuses an HDF5 file whose arrays lie in other files: external storage, and virtual datasets. Links to other files are never followed.
 * Source: HDF5 File Format Specification 3.0, IV.A.2.h and IV.A.2.i.
 * @throws {Problem}
 */
export async function refuseOtherFilesOfHdf5(path: string): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.alloc(chunkBytes + messageBytes);
  for (let at = 0; at < size; at += chunkBytes) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    const bytes = buffer.subarray(0, bytesRead);
    for (const place of virtualLayouts(bytes))
      if (await hasSignature(file, place, 'GCOL')) throw sourceProblems.otherFiles('HDF5 virtual dataset');
    for (const place of externalLists(bytes))
      if (await hasSignature(file, place, 'HEAP')) throw sourceProblems.otherFiles('HDF5 external storage');
  }
}

/** Yields the addresses of the global heaps of messages “data layout” of version 4, class 3. */
function* virtualLayouts(bytes: Buffer): Generator<bigint> {
  for (
    let at = bytes.indexOf('\x04\x03', 0, 'latin1');
    at !== -1;
    at = bytes.indexOf('\x04\x03', at + 1, 'latin1')
  )
    if (isMessage(bytes, at, 8) && at + 10 <= bytes.length) yield bytes.readBigUInt64LE(at + 2);
}

/** Yields the addresses of the local heaps of messages “external data files” of version 1. */
function* externalLists(bytes: Buffer): Generator<bigint> {
  const start = '\x01\0\0\0';
  for (let at = bytes.indexOf(start, 0, 'latin1'); at !== -1; at = bytes.indexOf(start, at + 1, 'latin1'))
    if (isMessage(bytes, at, 7) && at + 16 <= bytes.length) yield bytes.readBigUInt64LE(at + 8);
}

/** Returns whether a message of a type has its content here: after the header of version 1 or of version 2, with or without an order. */
function isMessage(bytes: Buffer, at: number, type: number): boolean {
  const isVersion1 = at >= 8 && bytes[at - 8] === type && bytes[at - 7] === 0;
  return isVersion1 || (at >= 4 && bytes[at - 4] === type) || (at >= 6 && bytes[at - 6] === type);
}

async function hasSignature(file: FileHandle, place: bigint, signature: string): Promise<boolean> {
  if (place > BigInt(Number.MAX_SAFE_INTEGER)) return false;
  const bytes = Buffer.alloc(4);
  const { bytesRead } = await file.read(bytes, 0, 4, Number(place));
  return bytesRead === 4 && bytes.toString('latin1') === signature;
}

const maxBlocks = 1_000_000;
/** Mark of a tag whose element begins with a description of its storage. */
const specialBit = 0x4000;
const externalElement = 2;

/**
 * Refuses an HDF4 file with elements in other files. Source: HDF Specification and Developer's Guide 4.2, chapters 4 and 10.
 * @throws {Problem}
 */
export async function refuseOtherFilesOfHdf4(path: string): Promise<void> {
  await using file = await open(path);
  let next = 4;
  for (let blocks = 0; next !== 0; blocks += 1) {
    const head = await readExactly(file, next, 6);
    const descriptors = await readExactly(file, next + 6, head.readUInt16BE(0) * 12);
    if (blocks > maxBlocks) throw sourceProblems.damaged();
    for (let at = 0; at < descriptors.length; at += 12) {
      const [tag, offset, length] = [
        descriptors.readUInt16BE(at),
        descriptors.readUInt32BE(at + 4),
        descriptors.readUInt32BE(at + 8),
      ];
      if ((tag & specialBit) === 0 || length < 2 || offset === 0xffff_ffff || tag >= 0x8000) continue;
      if ((await readExactly(file, offset, 2)).readUInt16BE(0) === externalElement)
        throw sourceProblems.otherFiles('HDF4 external element');
    }
    next = head.readUInt32BE(2);
  }
}

async function readExactly(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead < length) throw sourceProblems.damaged();
  return bytes;
}
