import { hash } from 'node:crypto';
import { z } from 'zod';
import { KiB } from '../lib/units.ts';
import type { RemoteVersion } from './remote-answer.ts';

/** Bytes of a file that have one digest; the last block may be shorter. */
export const blockBytes = 256 * KiB;
const digestBytes = 32;
const newline = 0x0a;

/** A version of a file on another server, by what the server said of it and by its bytes. */
export interface Pin extends RemoteVersion {
  /** SHA-256 of each block, one after the other; absent until the file has been read. */
  readonly digests?: Buffer | undefined;
}

const Head = z.object({
  address: z.string(),
  sizeBytes: z.int().min(1),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
});

/** Writes a pin: a line of JSON, then the digests. */
export function writePin({ digests, ...version }: Pin): Buffer {
  const { address, sizeBytes, etag, lastModified } = version;
  const line = Buffer.from(`${JSON.stringify({ address, sizeBytes, etag, lastModified })}\n`);
  return Buffer.concat([line, digests ?? Buffer.alloc(0)]);
}

/** @throws {Error} if the bytes are no pin. */
export function readPin(bytes: Buffer): Pin {
  const end = bytes.indexOf(newline);
  if (end === -1) throw new Error('an object is no pin of a remote file');
  const head = Head.parse(JSON.parse(bytes.toString('utf8', 0, end)));
  const digests = bytes.subarray(end + 1);
  if (digests.length === 0) return head;
  if (digests.length !== blocksOf(head.sizeBytes) * digestBytes)
    throw new Error('a pin of a remote file has another number of digests than blocks');
  return { ...head, digests };
}

export function blocksOf(sizeBytes: number): number {
  return Math.ceil(sizeBytes / blockBytes);
}

/** Returns the first block whose bytes are not those of the pin; undefined also for a pin without digests. */
export function findOtherBlock({ digests }: Pin, firstBlock: number, bytes: Buffer): number | undefined {
  if (digests === undefined) return undefined;
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const block = firstBlock + at / blockBytes;
    const place = block * digestBytes;
    const digest = digestOf(bytes.subarray(at, at + blockBytes));
    if (!digest.equals(digests.subarray(place, place + digestBytes))) return block;
  }
  return undefined;
}

/** Creates a collector of the digests of all blocks, from chunks of any size. */
export function createBlockDigests() {
  const digests: Buffer[] = [];
  const block = Buffer.alloc(blockBytes);
  let filled = 0;
  return {
    push(chunk: Buffer): void {
      for (let at = 0; at < chunk.length;) {
        const taken = chunk.copy(block, filled, at);
        [filled, at] = [filled + taken, at + taken];
        if (filled < blockBytes) continue;
        digests.push(digestOf(block));
        filled = 0;
      }
    },
    end(): Buffer {
      if (filled > 0) digests.push(digestOf(block.subarray(0, filled)));
      return Buffer.concat(digests);
    },
  };
}

const digestOf = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');
