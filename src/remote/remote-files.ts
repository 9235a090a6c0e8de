import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { Problem } from '../lib/errors.ts';
import { GiB, KiB } from '../lib/units.ts';
import { pause } from '../lib/concurrency/promises.ts';
import type { Message } from '../lib/message.ts';
import { remoteFaults } from '../messages/datasets/english.ts';
import { createGuardedLookup, type NoAnswer, reasonOf, type Resolve, resolveAll } from './guarded-lookup.ts';
import { createNetworks, isPublicAddress } from './public-address.ts';

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

interface RemoteOptions {
  /** Hosts of which files may be read, in lower case, with a port if it is not 443; none switches the feature off. */
  readonly hosts: readonly string[];
  readonly maxFileBytes?: number;
  /** For tests: networks that are allowed although they are not public. */
  readonly networks?: readonly string[];
  /** For tests: certificates of issuers. */
  readonly ca?: string;
  readonly resolve?: Resolve;
  /** Time for one request and its bytes. */
  readonly deadlineMs?: number;
  readonly pausesMs?: readonly number[];
}

export type RemoteFiles = ReturnType<typeof createRemoteFiles>;

const probeBytes = 16 * KiB;
const maxRedirects = 3;
const maxHeaderBytes = 16 * KiB;
const maxAddressLength = 2000;
const connectionsPerHost = 8;

/** Inclusive positions, as in an HTTP range. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Creates a reader of parts of files on other servers, over https. It connects only to listed hosts, and there only to public
 * addresses that it has resolved itself; a redirection has to stay among them.
 */
export function createRemoteFiles({
  hosts,
  maxFileBytes = 64 * GiB,
  networks = [],
  ca,
  resolve = resolveAll,
  deadlineMs = 20_000,
  pausesMs = [300, 1500],
}: RemoteOptions) {
  const isAllowed = createNetworks(networks);
  const mayConnect = (address: string): boolean => isAllowed(address) || isPublicAddress(address);
  // Its connections are those that passed the look-up, so that reusing one is safe.
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connectionsPerHost,
    timeout: deadlineMs,
    ...(ca === undefined ? {} : { ca }),
  });
  const lookup = createGuardedLookup(mayConnect, resolve);

  /** @throws {RemoteFault} if nothing may be read from there. */
  function refuseHost(url: URL): void {
    if (hosts.length === 0) throw new RemoteFault(remoteFaults.off);
    if (!hosts.includes(url.host)) throw new RemoteFault(remoteFaults.hostNotListed(url.host));
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    if (isIP(host) !== 0 && !mayConnect(host)) throw new RemoteFault(remoteFaults.privateAddress(host));
  }

  /** Requests a range, without following a redirection. */
  async function ask(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
    const request = requestHttps(url, {
      agent,
      lookup,
      signal,
      maxHeaderSize: maxHeaderBytes,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Steppe', ...headers },
    });
    request.on('response', answered).on('error', reject);
    request.on('close', () => reject(new Error('no answer')));
    request.end();
    return await promise;
  }

  async function follow(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    let [at, left] = [url, maxRedirects];
    for (;;) {
      const answer = await ask(at, headers, signal);
      const { statusCode: status = 0, headers: said } = answer;
      const to = [301, 302, 303, 307, 308].includes(status) ? said.location : undefined;
      if (to === undefined) return { answer, status, host: at.host };
      answer.destroy();
      const next = URL.parse(to, at.href);
      if (next === null || !isAddress(next) || !hosts.includes(next.host))
        throw new RemoteFault(remoteFaults.redirectedAway(next?.host ?? to));
      if (left === 0) throw new RemoteFault(remoteFaults.tooManyRedirects(at.host));
      [at, left] = [next, left - 1];
      refuseHost(at);
    }
  }

  /** Reads a range once. */
  async function readOnce(
    address: string,
    { start, end }: Range,
    version: RemoteVersion | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ProbedFile> {
    signal?.throwIfAborted();
    const url = addressOf(address);
    refuseHost(url);
    const late = AbortSignal.timeout(deadlineMs);
    const either = signal === undefined ? late : AbortSignal.any([signal, late]);
    try {
      const headers = { range: `bytes=${start}-${end}`, ...conditionsOf(version) };
      const { answer, status, host } = await follow(url, headers, either);
      try {
        const told = readAnswer(answer.headers, { status, host, start, end });
        const found = { address, ...told };
        if (version !== undefined) refuseOther(found, version, host);
        if (told.sizeBytes > maxFileBytes) throw new RemoteFault(remoteFaults.tooLarge(maxFileBytes / GiB));
        const length = Math.min(end + 1, told.sizeBytes) - start;
        return { ...found, head: await readBody(answer, length, host) };
      } finally {
        if (!answer.readableEnded) answer.destroy(); // an unread answer would occupy its connection
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RemoteFault) throw error;
      throw connectionFault(late.aborted ? 'timeout' : reasonOf(error), url.host, error);
    }
  }

  /** Reads a range, and tries again after failures that may pass. */
  async function read(
    address: string,
    range: Range,
    version: RemoteVersion | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ProbedFile> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await readOnce(address, range, version, signal);
      } catch (error) {
        const pauseMs = pausesMs[tries];
        if (!(error instanceof RemoteFault) || !error.isPassing || pauseMs === undefined) throw error;
        await pause(pauseMs, signal ?? never);
      }
    }
  }

  return {
    /** False if the operator has listed no hosts. */
    isOn: hosts.length > 0,

    /** Asks for the first bytes of a file, and what the server says of it. @throws {RemoteFault} with the reason. */
    async probe(address: string, signal?: AbortSignal): Promise<ProbedFile> {
      return await read(address, { start: 0, end: probeBytes - 1 }, undefined, signal);
    },

    /** Reads bytes of a version of a file. @throws {RemoteFault} `changed` if the server has another version. */
    async read(version: RemoteVersion, range: Range, signal?: AbortSignal): Promise<Buffer> {
      return (await read(version.address, range, version, signal)).head;
    },

    close(): void {
      agent.destroy();
    },
  };
}

const { signal: never } = new AbortController();

/** Returns an address that may be registered. @throws {RemoteFault} */
export function addressOf(text: string): URL {
  const url = text.length > maxAddressLength ? null : URL.parse(text);
  if (url === null || !isAddress(url)) throw new RemoteFault(remoteFaults.notAnAddress);
  return url;
}

function isAddress({ protocol, username, password, hash }: URL): boolean {
  return protocol === 'https:' && username === '' && password === '' && hash === '';
}

/** A strong validator makes the server itself refuse another version. */
function conditionsOf(version: RemoteVersion | undefined): Readonly<Record<string, string>> {
  const { etag, lastModified } = version ?? {};
  if (etag?.startsWith('"') === true) return { 'if-match': etag };
  return etag === undefined && lastModified !== undefined ? { 'if-unmodified-since': lastModified } : {};
}

/** @throws {RemoteFault} unless an answer announces exactly the bytes that were asked for. */
function readAnswer(
  headers: IncomingHttpHeaders,
  { status, host, start, end }: Range & { readonly status: number; readonly host: string },
): Omit<RemoteVersion, 'address'> {
  if (status === 412) throw new RemoteFault(remoteFaults.changed(host), { state: 'changed' });
  if (status === 200) throw new RemoteFault(remoteFaults.noRanges(host));
  if (status === 416) {
    if (start === 0) throw new RemoteFault(remoteFaults.empty, { state: 'changed' });
    throw new RemoteFault(remoteFaults.changed(host), { state: 'changed' });
  }
  if ([401, 402, 403, 407, 451].includes(status)) throw new RemoteFault(remoteFaults.denied(host));
  if (status === 404 || status === 410) throw new RemoteFault(remoteFaults.missing(host));
  if (status !== 206) {
    const isPassing = status === 429 || status >= 500;
    throw new RemoteFault(remoteFaults.otherStatus(host, status), { isPassing });
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new RemoteFault(remoteFaults.encoded(host));
  const [, first, last, total] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(headers['content-range'] ?? '') ?? [];
  if (total === '*') throw new RemoteFault(remoteFaults.noLength(host));
  const sizeBytes = Number(total);
  const isAsked = Number(first) === start && Number(last) === Math.min(end, sizeBytes - 1);
  if (!isAsked) throw new RemoteFault(remoteFaults.otherBytes(host));
  return { sizeBytes, etag: headers.etag, lastModified: headers['last-modified'] };
}

/** @throws {RemoteFault} `changed` if the server says anything else of the file than before. */
function refuseOther(found: RemoteVersion, before: RemoteVersion, host: string): void {
  const isSame =
    found.sizeBytes === before.sizeBytes &&
    found.etag === before.etag &&
    found.lastModified === before.lastModified;
  if (!isSame) throw new RemoteFault(remoteFaults.changed(host), { state: 'changed' });
}

/** @throws {RemoteFault} unless the body has exactly this length. */
async function readBody(answer: IncomingMessage, length: number, host: string): Promise<Buffer> {
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

const sentenceOf = {
  forbidden_address: remoteFaults.privateAddress,
  no_address: remoteFaults.noSuchHost,
  refused: remoteFaults.noConnection,
  timeout: remoteFaults.noAnswer,
  tls: remoteFaults.badCertificate,
  connection: remoteFaults.noConnection,
} as const satisfies Readonly<Record<NoAnswer, (host: string) => Message>>;

function connectionFault(reason: NoAnswer, host: string, cause: unknown): RemoteFault {
  const isPassing = ['refused', 'timeout', 'connection', 'no_address'].includes(reason);
  return new RemoteFault(sentenceOf[reason](host), { isPassing, cause });
}
