import type { FileHandle } from 'node:fs/promises';
import { dossierFaults } from '../../messages/runs/english.ts';
import { KiB, MiB } from '../../lib/units.ts';
import {
  behind,
  centralEntry,
  endOfArchive,
  heads,
  localHead,
  type ZipMember,
} from '../../lib/formats/zip-layout.ts';

const maxListBytes = 2 * MiB;
const maxMembers = 1000;
const chunkBytes = 256 * KiB;
const elsewhere = 0xff_ff_ff_ff;
const streamedFlag = 0x8;
/** Lower-case names of folders and files: none leaves a folder, hides a file, or is ambiguous on another system. */
const safeName = /^(?:README\.txt|(?:[a-z0-9][a-z0-9._-]{0,99}\/){0,3}[a-z0-9][a-z0-9._-]{0,99})$/;

/** Random access to the bytes of a file. */
export interface FileBytes {
  readonly size: number;
  /** Reads `length` bytes from a position; fewer at the end. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Opens a file handle for random access. */
export async function bytesOf(file: FileHandle): Promise<FileBytes> {
  const { size } = await file.stat();
  return {
    size,
    async read(position, length) {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(length), position });
      return buffer.subarray(0, bytesRead);
    },
  };
}

export interface Archive {
  /** Members whose position is known. */
  readonly members: readonly PlacedMember[];
  readonly faults: readonly string[];
  /** True if another program has written the archive; no other fault is reported then. */
  readonly isRepacked: boolean;
}

export interface PlacedMember extends ZipMember {
  /** The position of the first byte. */
  readonly start: number;
}

/**
 * Reads the list of members of a dossier file. Every byte that is not part of a member must be the expected one, so that any change is
 * detected. Members are stored without compression, so nothing is unpacked.
 */
export async function readArchive(file: FileBytes): Promise<Archive> {
  const list = await readList(file);
  const isRepacked = typeof list === 'object' && list.isRepacked;
  if (typeof list === 'string' || isRepacked)
    return { members: [], faults: typeof list === 'string' ? [list] : [], isRepacked };
  const faults: string[] = [];
  const seen = new Set<string>();
  const members: PlacedMember[] = [];
  let at = 0;
  for (const [member, fault] of list.entries) {
    const { name } = member;
    if (fault !== undefined) faults.push(fault);
    if (seen.has(name)) faults.push(dossierFaults.twice(name));
    seen.add(name);
    const head = localHead(member);
    const end = behind(member);
    const start = member.offset + head.length;
    if (member.offset !== at) faults.push(dossierFaults.misplaced(name));
    at = start + member.bytes + end.length;
    if (at > list.offset) {
      faults.push(dossierFaults.notAnArchive);
      break;
    }
    const isRight =
      (await file.read(member.offset, head.length)).equals(head) &&
      (await file.read(start + member.bytes, end.length)).equals(end);
    if (!isRight) faults.push(dossierFaults.wrongHead(name));
    if (safeName.test(name) && fault === undefined) members.push({ ...member, start });
  }
  if (at !== list.offset && faults.length === 0) faults.push(dossierFaults.brokenList);
  return { members, faults, isRepacked };
}

interface List {
  readonly offset: number;
  readonly entries: readonly Entry[];
  readonly isRepacked: boolean;
}

type Entry = readonly [member: ZipMember, fault: string | undefined];

/** Finds the list through the records at the end of the file. */
async function readList(file: FileBytes): Promise<List | string> {
  const { size } = file;
  const found = await findEnd(file);
  if (found === undefined) return dossierFaults.notAnArchive;
  const { end, comment } = found;
  let [count, bytes, offset] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  let endBytes = heads.end;
  if (count === 0xff_ff || bytes === elsewhere || offset === elsewhere) {
    endBytes += heads.end64 + heads.locator64;
    if (size < endBytes) return dossierFaults.notAnArchive;
    const large = await file.read(size - endBytes, heads.end64);
    const numberAt = (place: number): number => Number(large.readBigUInt64LE(place));
    [count, bytes, offset] = [numberAt(32), numberAt(40), numberAt(48)];
  }
  if (bytes > maxListBytes || offset + bytes + endBytes + comment !== size) return dossierFaults.brokenList;
  const { entries, isWhole } = entriesIn(await file.read(offset, bytes));
  const foreign = entries.filter(([, fault]) => fault !== undefined).length;
  // A single changed entry is reported; if most entries have another form, another program has packed them.
  if (isWhole && entries.length === count && foreign > 1 && foreign * 2 > count)
    return { offset, entries, isRepacked: true };
  if (count > maxMembers || !isWhole || entries.length !== count) return dossierFaults.brokenList;
  const isAsWritten = (await file.read(offset + bytes, endBytes)).equals(
    endOfArchive({ count, offset, bytes }),
  );
  return isAsWritten && comment === 0 ? { offset, entries, isRepacked: false } : dossierFaults.wrongEnd;
}

/** Finds the last record; other programs may write a comment after it. */
async function findEnd({ size, read }: FileBytes): Promise<{ end: Buffer; comment: number } | undefined> {
  const from = Math.max(0, size - heads.end - 0xff_ff);
  const tail = await read(from, size - from);
  const comment = tail.length - heads.end - tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (comment < 0 || comment + heads.end > tail.length) return undefined;
  const end = tail.subarray(tail.length - heads.end - comment);
  return end.readUInt16LE(20) === comment ? { end, comment } : undefined;
}

function entriesIn(list: Buffer): { readonly entries: readonly Entry[]; readonly isWhole: boolean } {
  const entries: Entry[] = [];
  let at = 0;
  while (at + heads.central <= list.length) {
    const [nameBytes, extraBytes] = [list.readUInt16LE(at + 28), list.readUInt16LE(at + 30)];
    const next = at + heads.central + nameBytes + extraBytes + list.readUInt16LE(at + 32);
    if (next > list.length) break;
    const nameEnd = at + heads.central + nameBytes;
    const name = list.toString('utf8', at + heads.central, nameEnd);
    const large = bigNumbersIn(list.subarray(nameEnd, next));
    const numberAt = (place: number): number => {
      const small = list.readUInt32LE(at + place);
      return small === elsewhere ? (large.shift() ?? small) : small;
    };
    const packed = numberAt(20);
    const member = {
      name,
      crc32: list.readUInt32LE(at + 16),
      bytes: numberAt(24),
      offset: numberAt(42),
      isStreamed: (list.readUInt16LE(at + 8) & streamedFlag) !== 0,
    };
    entries.push([member, faultOf(member, list.subarray(at, next), packed)]);
    at = next;
  }
  return { entries, isWhole: at === list.length };
}

function faultOf(member: ZipMember, entry: Buffer, packed: number): string | undefined {
  const { name, bytes } = member;
  if (!safeName.test(name)) return dossierFaults.unsafeName(name);
  const [flags, method] = [entry.readUInt16LE(8), entry.readUInt16LE(10)];
  if (method !== 0 || packed !== bytes || (flags & 1) !== 0) return dossierFaults.packed(name);
  return entry.equals(centralEntry(member)) ? undefined : dossierFaults.wrongList(name);
}

/** Returns the numbers in the extra field for large archives, the only extra field that is allowed. */
function bigNumbersIn(extra: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 4; at + 8 <= Math.min(extra.length, 28); at += 8)
    numbers.push(Number(extra.readBigUInt64LE(at)));
  return numbers;
}

/** Reads the bytes of a member piece by piece; fewer when the file is truncated. */
export async function* readMember(file: FileBytes, { start, bytes }: PlacedMember): AsyncGenerator<Buffer> {
  for (let done = 0; done < bytes;) {
    const chunk = await file.read(start + done, Math.min(chunkBytes, bytes - done));
    if (chunk.length === 0) return;
    yield chunk;
    done += chunk.length;
  }
}
