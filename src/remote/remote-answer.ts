import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../lib/errors.ts';
import type { Message } from '../lib/message.ts';
import { remoteFaults } from '../messages/datasets/english.ts';

/** A version of a file by the words of its server; other words later are another version. */
export interface RemoteVersion {
  readonly address: string;
  readonly sizeBytes: number;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface ProbedFile extends RemoteVersion {
  /** First bytes of the file. */
  readonly head: Buffer;
}

/** The file cannot be read now, or is another one by now. */
export class RemoteFault extends Problem {
  override readonly name = 'RemoteFault';
  readonly state: 'changed' | 'unreachable';
  readonly told: Message;
  /** True if the same request may succeed in a moment. */
  readonly isPassing: boolean;
  /** The block whose bytes are others than those that were registered. */
  readonly block: number | undefined;

  constructor(told: Message, { state = 'unreachable', isPassing = false, block, cause }: FaultOptions = {}) {
    super('unavailable', told, { cause });
    this.told = told;
    this.state = state;
    this.isPassing = isPassing;
    this.block = block;
  }
}

interface FaultOptions {
  readonly state?: RemoteFault['state'];
  readonly isPassing?: boolean;
  readonly block?: number;
  readonly cause?: unknown;
}

/** Inclusive positions, as in an HTTP range. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** One request for a part of a file. */
export interface Request {
  readonly address: string;
  readonly range: Range;
  /** Undefined for the first look at a file. */
  readonly version: RemoteVersion | undefined;
  readonly signal: AbortSignal;
}

/** Returns the fault of an answer that has no part of a file. */
export function faultOfStatus(
  status: number,
  { host, start }: { readonly host: string; readonly start: number },
): RemoteFault {
  if (status === 412 || (status === 416 && start > 0))
    return new RemoteFault(remoteFaults.changed(host), { state: 'changed' });
  if (status === 416) return new RemoteFault(remoteFaults.empty, { state: 'changed' });
  if (status === 200) return new RemoteFault(remoteFaults.noRanges(host));
  if ([401, 402, 403, 407, 451].includes(status)) return new RemoteFault(remoteFaults.denied(host));
  if (status === 404 || status === 410) return new RemoteFault(remoteFaults.missing(host));
  return new RemoteFault(remoteFaults.otherStatus(host, status), {
    isPassing: status === 429 || status >= 500,
  });
}

/** @throws {RemoteFault} unless an answer announces exactly the bytes that were asked for. */
export function readAnswer(
  headers: IncomingHttpHeaders,
  { status, host, start, end }: Range & { readonly status: number; readonly host: string },
): Omit<RemoteVersion, 'address'> {
  if (status !== 206) throw faultOfStatus(status, { host, start });
  refuseEncoding(headers, host);
  const [, first, last, total] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(headers['content-range'] ?? '') ?? [];
  if (total === '*') throw new RemoteFault(remoteFaults.noLength(host));
  const sizeBytes = Number(total);
  const isAsked = Number(first) === start && Number(last) === Math.min(end, sizeBytes - 1);
  if (!isAsked) throw new RemoteFault(remoteFaults.otherBytes(host));
  return { sizeBytes, etag: headers.etag, lastModified: headers['last-modified'] };
}

/** @throws {RemoteFault} if the bytes of an answer are not those of the file. */
export function refuseEncoding(
  { 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders,
  host: string,
): void {
  // `aws-chunked` was the form of an upload, which some stores repeat.
  if (!['identity', 'aws-chunked', ''].includes(encoding.toLowerCase()))
    throw new RemoteFault(remoteFaults.encoded(host));
}

/** @throws {RemoteFault} `changed` if the server says anything else of the file than before. */
export function refuseOther(found: RemoteVersion, before: RemoteVersion, host: string): void {
  const isSame =
    found.sizeBytes === before.sizeBytes &&
    found.etag === before.etag &&
    found.lastModified === before.lastModified;
  if (!isSame) throw new RemoteFault(remoteFaults.changed(host), { state: 'changed' });
}

/** @throws {RemoteFault} unless the body has exactly this length. */
export async function readBody(
  answer: AsyncIterable<Uint8Array>,
  length: number,
  host: string,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > length) throw new RemoteFault(remoteFaults.otherBytes(host));
    chunks.push(piece);
  }
  if (bytes !== length) throw new RemoteFault(remoteFaults.otherBytes(host), { isPassing: true });
  return Buffer.concat(chunks);
}
