import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:net';
import { createRemoteFiles } from '../../../src/remote/remote-files.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
/** The issuer of the certificates of these servers. */
export const issuer = read('issuer.pem');

type RemoteOptions = Parameters<typeof createRemoteFiles>[0];

/** A file of a server, with what it says of it. */
export interface ServedFile {
  readonly bytes: Buffer;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Answers one request for a file. */
export type Behaviour = (file: ServedFile, request: IncomingMessage, response: ServerResponse) => void;

/** Serves ranges as RFC 9110 has it. */
export const byRanges: Behaviour = ({ bytes, etag, lastModified }, request, response) => {
  const { range = '', 'if-match': match, 'if-unmodified-since': since } = request.headers;
  const validators = {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { 'last-modified': lastModified }),
  };
  const isOther = match !== undefined && match !== etag;
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const [start, end] = [Number(from), Math.min(Number(to), bytes.length - 1)];
  if (isOther || (since !== undefined && since !== lastModified)) {
    response.writeHead(412).end();
    return;
  }
  if (from === '') {
    response.writeHead(200, validators).end(bytes);
    return;
  }
  if (start >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  response.writeHead(206, {
    ...validators,
    'content-range': `bytes ${start}-${end}/${bytes.length}`,
    'content-length': end - start + 1,
  });
  response.end(bytes.subarray(start, end + 1));
};

/** Starts a server with TLS on this machine, whose files and their behaviour may change while it runs. */
export async function openArchiveServer(certificate: 'server' | 'expired' = 'server') {
  const files = createServedFiles((response) => void response.writeHead(404).end());
  const keys = { cert: read(`${certificate}.pem`), key: read('server-key.pem') };
  const { port, close } = await listening(createServer(keys, files.answer));
  return {
    port,
    requests: files.requests,
    /** Serves a file at a path, and returns its address. */
    serve(path: string, file: ServedFile, behaviour: Behaviour = byRanges): string {
      files.set(path, file, behaviour);
      return `https://archive.test:${port}${path}`;
    },
    remove: files.remove,
    close,
  };
}

/** Starts a server of an object store with one bucket, for readers alone. */
export async function openBucketServer(bucket: string) {
  const files = createServedFiles((response) =>
    response
      .writeHead(404, { 'content-type': 'application/xml' })
      .end('<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>none</Message></Error>'),
  );
  const { port, close } = await listening(createPlainServer(files.answer));
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return {
    /** The bucket as REFERENCE_BUCKETS names it. */
    url: `s3://${bucket}?endpoint=${endpoint}&path_style=true&anonymous=true`,
    requests: files.requests,
    /** Serves an object, and returns its address. */
    serve(key: string, file: ServedFile, behaviour: Behaviour = byRanges): string {
      files.set(`/${bucket}/${key}`, file, behaviour);
      return `s3://${bucket}/${key}`;
    },
    remove: (key: string) => files.remove(`/${bucket}/${key}`),
    close,
  };
}

/** Files by path, and an answer to each request for one. */
function createServedFiles(answerMissing: (response: ServerResponse) => void) {
  const files = new Map<string, { readonly file: ServedFile; readonly behaviour: Behaviour }>();
  let requests = 0;
  return {
    /** Number of requests so far. */
    requests: () => requests,
    set: (path: string, file: ServedFile, behaviour: Behaviour) => void files.set(path, { file, behaviour }),
    remove: (path: string) => void files.delete(path),
    answer(this: void, request: IncomingMessage, response: ServerResponse): void {
      requests += 1;
      const served = files.get((request.url ?? '').split('?', 1)[0] ?? '');
      if (served === undefined) answerMissing(response);
      else served.behaviour(served.file, request, response);
    },
  };
}

async function listening(server: Server & { closeAllConnections(): void }) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Resolves every name to this machine. */
export const toThisMachine: NonNullable<RemoteOptions['resolve']> = (_name, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]);

/** Creates a reader of the files of such a server. */
export function readerOfArchive(port: number, options: Partial<RemoteOptions> = {}) {
  return createRemoteFiles({
    hosts: [`archive.test:${port}`, `mirror.test:${port}`],
    networks: ['127.0.0.1'],
    ca: issuer,
    resolve: toThisMachine,
    ...options,
  });
}
