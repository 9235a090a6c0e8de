import assert from 'node:assert/strict';
import { type Behaviour, byRanges, type ServedFile } from '../../test/support/http/archive-server.ts';
import { RemoteFault } from './remote-answer.ts';
import type { RemoteFiles } from './remote-files.ts';

/** Changes the head or the body of a right answer. */
export function changed(change: (head: Record<string, string | number>) => void, status = 206): Behaviour {
  return (file, request, response) =>
    byRanges(
      file,
      request,
      Object.assign(Object.create(response), {
        writeHead(was: number, head: Record<string, string | number> = {}) {
          const own = { ...head };
          if (was === 206) change(own);
          return response.writeHead(was === 206 ? status : was, own);
        },
        end: (bytes?: Buffer) => response.end(bytes),
      }),
    );
}

const answered =
  (status: number, head: Record<string, string> = {}): Behaviour =>
  (_file, _request, response) =>
    void response.writeHead(status, head).end('no');

const redirecting =
  (to: (request: { readonly url?: string | undefined }) => string, status = 302): Behaviour =>
  (_file, request, response) =>
    void response.writeHead(status, { location: to(request) }).end();

/** The body of a right answer, with another length. */
const withBody =
  (bodyOf: (bytes: Buffer) => Buffer, keepsLength: boolean): Behaviour =>
  (file, request, response) => {
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from), Math.min(Number(to), file.bytes.length - 1)];
    const bytes = bodyOf(file.bytes.subarray(start, end + 1));
    response.writeHead(206, {
      'content-range': `bytes ${start}-${end}/${file.bytes.length}`,
      ...(keepsLength ? { 'content-length': end - start + 1 } : {}),
    });
    if (keepsLength) response.write(bytes, () => response.destroy());
    else response.end(bytes);
  };

/** The sentence of a file that is read. */
export const right = /^$/;
/** Behaviours of servers, each with the sentence with which its file is refused; `right` if it is read. */
export const kindsOf = (
  port: number,
): readonly (readonly [name: string, behaviour: Behaviour, sentence: RegExp])[] => [
  ['ranges', byRanges, right],
  ['a redirection in the list', redirecting(() => `https://mirror.test:${port}/plain.tif`), right],
  ['a relative redirection', redirecting(() => '/plain.tif', 308), right],
  [
    'no ranges',
    (file, _request, response) => void response.writeHead(200).end(file.bytes),
    /does not serve parts/,
  ],
  [
    'parts of several ranges',
    changed((head) => void delete head['content-range']),
    /other bytes than it announced/,
  ],
  ['another start', changed((head) => void (head['content-range'] = 'bytes 1-2/10')), /other bytes/],
  ['another unit', changed((head) => void (head['content-range'] = 'items 0-1/2')), /other bytes/],
  [
    'no length',
    changed((head) => void (head['content-range'] = String(head['content-range']).replace(/\d+$/, '*'))),
    /length/,
  ],
  ['a negative length', changed((head) => void (head['content-range'] = 'bytes 0-9/-1')), /other bytes/],
  [
    'a length beyond numbers',
    changed((head) => void (head['content-range'] = `bytes 0-9/${'9'.repeat(40)}`)),
    /other bytes/,
  ],
  [
    'a smaller length than it sends',
    changed((head) => void (head['content-range'] = 'bytes 0-1/2')),
    /other bytes|has changed/,
  ],
  ['fewer bytes', withBody((bytes) => bytes.subarray(1), true), /other bytes|connection .* failed/i],
  ['fewer bytes, without a length', withBody((bytes) => bytes.subarray(1), false), /other bytes/],
  ['more bytes', withBody((bytes) => Buffer.concat([bytes, bytes]), false), /other bytes/],
  ['gzip', changed((head) => void (head['content-encoding'] = 'gzip')), /content encoding/],
  ['a wish for credentials', answered(401), /refuses to give the file/],
  ['a refusal', answered(403), /refuses to give the file/],
  ['no file', answered(404), /has no file/],
  ['no file any more', answered(410), /has no file/],
  ['a fault', answered(500), /status 500/],
  ['an overload', answered(503, { 'retry-after': '1' }), /status 503/],
  ['no content', answered(204), /status 204/],
  [
    'a redirection out of the list',
    redirecting(() => `https://elsewhere.test:${port}/plain.tif`),
    /redirects to elsewhere\.test/,
  ],
  [
    'a redirection without TLS',
    redirecting(() => `http://archive.test:${port}/plain.tif`),
    /redirects to archive\.test/,
  ],
  [
    'a redirection to this machine',
    redirecting(() => 'https://127.0.0.1/plain.tif', 307),
    /redirects to 127\.0\.0\.1/,
  ],
  [
    'a redirection with a password',
    redirecting(() => `https://a:b@mirror.test:${port}/plain.tif`),
    /redirects to/,
  ],
  ['a redirection in a circle', redirecting(({ url = '' }) => url, 301), /again and again/],
  ['a redirection to nothing', redirecting(() => 'https://'), /redirects to/],
];

export const sizes = [1, 4095, 20_000, 300_000];
export const validators: readonly Omit<ServedFile, 'bytes'>[] = [
  { etag: '"one"', lastModified: 'Mon, 30 Nov 2026 10:00:00 GMT' },
  { etag: 'W/"weak"' },
  {},
];

export function refusedWith(error: unknown, sentence: RegExp): boolean {
  assert.ok(error instanceof RemoteFault, String(error));
  assert.match(error.message, sentence);
  return true;
}

export async function readsAll(
  reader: RemoteFiles,
  address: string,
  { bytes, etag }: ServedFile,
): Promise<void> {
  const { head, ...version } = await reader.probe(address);
  assert.deepEqual(head, bytes.subarray(0, 16_384));
  assert.deepEqual([version.sizeBytes, version.etag], [bytes.length, etag]);
  for (const [start, end] of [
    [0, bytes.length - 1],
    [bytes.length - 1, bytes.length - 1],
    [Math.floor(bytes.length / 3), Math.floor(bytes.length / 2)],
  ] as const)
    assert.deepEqual(await reader.read(version, { start, end }), bytes.subarray(start, end + 1));
}
