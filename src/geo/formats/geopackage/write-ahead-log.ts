import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/** Source of the layout: "Database File Format", section 4. */
const headerBytes = 32;
const frameHeadBytes = 24;
/** The last bit of the first number: whether checksums add up big-endian numbers. */
const magic = 0x377f_0682;
const version = 3_007_000;
/** Where the file itself says how large its pages are, and that it is written with a log. */
const leastPageBytes = 512;
const [pageSizeAt, journalVersionsAt] = [16, 18];

interface Frame {
  /** The page that it replaces, from 1. */
  readonly page: number;
  readonly contentAt: number;
}

/**
 * Puts what a write-ahead log (`-wal`) has saved into its SQLite file, as SQLite itself does, but without running any of
 * it; afterwards the file does not mention a log any more. What was not committed is left out.
 * @returns whether the log has anything that belongs to the file.
 */
export function applyLog(path: string, logPath: string): boolean {
  const log = openSync(logPath, 'r');
  const file = openSync(path, 'r+');
  try {
    const pageBytes = pageBytesOf(file);
    const saved = pageBytes === undefined ? undefined : readFrames(log, pageBytes);
    if (pageBytes === undefined || saved === undefined) return false;
    const { frames, pages } = saved;
    // Each page beyond the end of the file is in the log.
    if (pages > Math.ceil(fstatSync(file).size / pageBytes) + frames.length) return false;
    const content = Buffer.alloc(pageBytes);
    for (const { page, contentAt } of frames) {
      if (page > pages) continue;
      readSync(log, content, 0, pageBytes, contentAt);
      writeSync(file, content, 0, pageBytes, (page - 1) * pageBytes);
    }
    ftruncateSync(file, pages * pageBytes);
    writeSync(file, Uint8Array.of(1, 1), 0, 2, journalVersionsAt);
    return true;
  } finally {
    closeSync(file);
    closeSync(log);
  }
}

function pageBytesOf(file: number): number | undefined {
  const stored = Buffer.alloc(2);
  if (readSync(file, stored, 0, 2, pageSizeAt) < 2) return undefined;
  const pageBytes = stored.readUInt16BE(0) === 1 ? 65_536 : stored.readUInt16BE(0);
  return pageBytes < leastPageBytes ? undefined : pageBytes;
}

/** Reads the frames up to the last that ends a transaction, and how many pages there are then; undefined when there is none. */
function readFrames(log: number, pageBytes: number) {
  const header = Buffer.alloc(headerBytes);
  if (readSync(log, header, 0, headerBytes, 0) < headerBytes) return undefined;
  const isBigEndian = header.readUInt32BE(0) === magic + 1;
  if (!isBigEndian && header.readUInt32BE(0) !== magic) return undefined;
  if (header.readUInt32BE(4) !== version || header.readUInt32BE(8) !== pageBytes) return undefined;
  const sum = createChecksum(isBigEndian);
  sum.add(header.subarray(0, 24));
  if (!sum.equals(header, 24)) return undefined;

  const frames: Frame[] = [];
  let [committed, pages] = [0, 0];
  const frame = Buffer.alloc(frameHeadBytes + pageBytes);
  for (let at = headerBytes; readSync(log, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    // Behind the frames of now may be older ones, which have other salts.
    if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) break;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(frameHeadBytes));
    const page = frame.readUInt32BE(0);
    if (page === 0 || !sum.equals(frame, 16)) break;
    frames.push({ page, contentAt: at + frameHeadBytes });
    if (frame.readUInt32BE(4) > 0) [committed, pages] = [frames.length, frame.readUInt32BE(4)];
  }
  return committed === 0 ? undefined : { frames: frames.slice(0, committed), pages };
}

/** Creates the checksum of a log, which goes on from frame to frame. */
function createChecksum(isBigEndian: boolean) {
  let [first, second] = [0, 0];
  return {
    /** Adds a multiple of eight bytes. */
    add(bytes: Buffer): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      for (let at = 0; at + 8 <= bytes.length; at += 8) {
        first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0;
        second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0;
      }
    },
    equals: (bytes: Buffer, at: number): boolean =>
      bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second,
  };
}

/** The first bytes of a rollback journal (`-journal`) that is needed: those of one that is not are zeros. */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex');

/** Whether a journal belongs to a transaction that has not ended: then the file beside it may be half written. */
export function isJournalNeeded(path: string): boolean {
  const journal = openSync(path, 'r');
  try {
    const head = Buffer.alloc(journalMagic.length);
    readSync(journal, head, 0, head.length, 0);
    return head.equals(journalMagic);
  } finally {
    closeSync(journal);
  }
}
