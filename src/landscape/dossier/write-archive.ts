import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  behind,
  centralEntry,
  endOfArchive,
  localHead,
  type ZipMember,
} from '../../lib/formats/zip-layout.ts';

/** A member to be written: its bytes, or their source, whose size and digest are verified. */
export type ArchiveSource = { readonly name: string; readonly bytes: number; readonly sha256: string } & (
  | { readonly content: Buffer }
  | { open(): Promise<AsyncIterable<Buffer>> }
);

/** The bytes of a source differ from the expected ones. */
export class WrongSource extends Error {
  override readonly name = 'WrongSource';
}

/**
 * Writes an archive piece by piece, with one chunk of a source in memory. The list of members comes last, so that an interrupted file is
 * not a valid archive.
 * @throws {WrongSource} and the errors of a source.
 */
export async function* writeArchive(sources: readonly ArchiveSource[]): AsyncGenerator<Buffer> {
  const members: ZipMember[] = [];
  let offset = 0;
  for (const source of sources) {
    const { name, bytes } = source;
    const isStreamed = !('content' in source);
    const sum = isStreamed ? 0 : crc32(source.content);
    const head = localHead({ name, bytes, crc32: sum, isStreamed });
    yield head;
    const measured = 'content' in source ? sum : yield* passOn(source);
    if ('content' in source) yield source.content;
    const member = { name, bytes, crc32: measured, offset, isStreamed };
    const tail = behind(member);
    if (tail.length > 0) yield tail;
    members.push(member);
    offset += head.length + bytes + tail.length;
  }
  const list = Buffer.concat(members.map(centralEntry));
  yield list;
  yield endOfArchive({ count: members.length, offset, bytes: list.length });
}

/** Passes bytes on, and returns their checksum. */
async function* passOn({
  name,
  bytes,
  sha256,
  open,
}: Extract<ArchiveSource, { open(): unknown }>): AsyncGenerator<Buffer, number> {
  const hash = createHash('sha256');
  let [passed, sum] = [0, 0];
  for await (const chunk of await open()) {
    passed += chunk.length;
    if (passed > bytes) break;
    hash.update(chunk);
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (passed !== bytes || hash.digest('hex') !== sha256)
    throw new WrongSource(`${name} has other bytes than the ledger says`);
  return sum;
}
