import type { IncomingMessage } from 'node:http';
import { Agent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Message } from '../lib/message.ts';
import { KiB, MiB } from '../lib/units.ts';
import { remoteFaults } from '../messages/datasets/english.ts';
import { createGuardedLookup, type NoAnswer, reasonOf, type Resolve, resolveAll } from './guarded-lookup.ts';
import { createNetworks, isPublicAddress } from './public-address.ts';
import {
  faultOfStatus,
  type ProbedFile,
  readAnswer,
  readBody,
  refuseEncoding,
  RemoteFault,
  type RemoteVersion,
  type Request,
} from './remote-answer.ts';

export interface HttpsOptions {
  /** Hosts of which files may be read, in lower case, with a port if it is not 443. */
  readonly hosts: readonly string[];
  /** For tests: networks that are allowed although they are not public. */
  readonly networks?: readonly string[];
  /** For tests: certificates of issuers. */
  readonly ca?: string;
  readonly resolve?: Resolve;
}

const maxRedirects = 3;
const maxHeaderBytes = 16 * KiB;
const connectionsPerHost = 8;
const maxDocumentBytes = 16 * MiB;

/** A whole document of another server. */
export interface RemoteDocument {
  /** The address from which it came, after redirections. */
  readonly address: string;
  readonly bytes: Buffer;
}

/**
 * Creates a reader of files over https. It connects only to listed hosts, and there only to public addresses that it has resolved
 * itself; a redirection has to stay among them.
 */
export function createHttpsFiles(
  { hosts, networks = [], ca, resolve = resolveAll }: HttpsOptions,
  deadlineMs: number,
) {
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

  /** @throws {RemoteFault} if an address is none, or may not be read. */
  function listedUrl(address: string): URL {
    const url = URL.parse(address);
    if (url === null || !isHttpsAddress(url)) throw new RemoteFault(remoteFaults.notAnAddress);
    refuseHost(url);
    return url;
  }

  /** Requests an address, without following a redirection. */
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
      if (to === undefined) return { answer, status, at };
      answer.destroy();
      const next = URL.parse(to, at.href);
      if (next === null || !isHttpsAddress(next) || !hosts.includes(next.host))
        throw new RemoteFault(remoteFaults.redirectedAway(next?.host ?? to));
      if (left === 0) throw new RemoteFault(remoteFaults.tooManyRedirects(at.host));
      [at, left] = [next, left - 1];
      refuseHost(at);
    }
  }

  type Followed = Awaited<ReturnType<typeof follow>>;

  /** Sends a request and uses its answer, of which nothing stays open. @throws {RemoteFault} */
  async function withAnswer<T>(
    address: string,
    { headers, signal }: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
    use: (followed: Followed) => Promise<T>,
  ): Promise<T> {
    const url = listedUrl(address);
    try {
      const followed = await follow(url, headers, signal);
      try {
        return await use(followed);
      } finally {
        if (!followed.answer.readableEnded) followed.answer.destroy(); // an unread answer would occupy its connection
      }
    } catch (error) {
      if (error instanceof RemoteFault || signal.aborted) throw error;
      throw connectionFault(reasonOf(error), url.host, error);
    }
  }

  return {
    /** @throws {RemoteFault} if the operator has not listed the host. */
    refuse: (address: string): void => void listedUrl(address),

    /** Reads a part of a file. @param check refuses what the server says of the file, before the bytes are read. */
    async readRange(
      { address, range: { start, end }, version, signal }: Request,
      check: (found: RemoteVersion, host: string) => void,
    ): Promise<ProbedFile> {
      const headers = { range: `bytes=${start}-${end}`, ...conditionsOf(version) };
      return await withAnswer(address, { headers, signal }, async ({ answer, status, at: { host } }) => {
        const found = { address, ...readAnswer(answer.headers, { status, host, start, end }) };
        check(found, host);
        const length = Math.min(end + 1, found.sizeBytes) - start;
        return { ...found, head: await readBody(answer, length, host) };
      });
    },

    /** Reads a whole document. @throws {RemoteFault} also if it is too long. */
    async readDocument(address: string, signal: AbortSignal): Promise<RemoteDocument> {
      const headers = { accept: 'application/geo+json, application/json' };
      return await withAnswer(
        address,
        { headers, signal },
        async ({ answer, status, at: { host, href } }) => {
          if (status === 206) throw new RemoteFault(remoteFaults.otherBytes(host));
          if (status !== 200) throw faultOfStatus(status, { host, start: 0 });
          refuseEncoding(answer.headers, host);
          const chunks: Buffer[] = [];
          let bytes = 0;
          for await (const chunk of answer) {
            const piece = Buffer.from(chunk);
            bytes += piece.length;
            if (bytes > maxDocumentBytes)
              throw new RemoteFault(remoteFaults.longDocument(host, maxDocumentBytes / MiB));
            chunks.push(piece);
          }
          return { address: href, bytes: Buffer.concat(chunks) };
        },
      );
    },

    close(): void {
      agent.destroy();
    },
  };
}

/** Returns whether a URL may be read: https, and without a secret that a reader of datasets would see. */
export function isHttpsAddress({ protocol, username, password, hash }: URL): boolean {
  return protocol === 'https:' && username === '' && password === '' && hash === '';
}

/** A strong validator makes the server itself refuse another version. */
function conditionsOf(version: RemoteVersion | undefined): Readonly<Record<string, string>> {
  const { etag, lastModified } = version ?? {};
  if (etag?.startsWith('"') === true) return { 'if-match': etag };
  return etag === undefined && lastModified !== undefined ? { 'if-unmodified-since': lastModified } : {};
}

const sentenceOf = {
  forbidden_address: remoteFaults.privateAddress,
  no_address: remoteFaults.noSuchHost,
  refused: remoteFaults.noConnection,
  timeout: remoteFaults.noAnswer,
  tls: remoteFaults.badCertificate,
  connection: remoteFaults.noConnection,
} as const satisfies Readonly<Record<NoAnswer, (host: string) => Message>>;

/** Returns the fault of a connection that gave no answer. */
export function connectionFault(reason: NoAnswer, host: string, cause: unknown): RemoteFault {
  const isPassing = ['refused', 'timeout', 'connection', 'no_address'].includes(reason);
  return new RemoteFault(sentenceOf[reason](host), { isPassing, cause });
}
