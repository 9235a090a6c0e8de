import { hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KiB } from '../../lib/units.ts';
import { addToVary } from '../connection/common-headers.ts';
import type { App } from '../request/schemas.ts';
import { chooseEncoding, type ContentEncoding } from './content-headers.ts';

/**
 * Chooses as for stored files, but a bare `*` selects gzip: programs that send it without a list, such as STAC
 * validators, cannot decode br.
 */
const encodingFor = (header: string | undefined): ContentEncoding | undefined =>
  chooseEncoding(header?.trim() === '*' ? 'gzip' : header);

/** A smaller body fits into one packet with its headers, and compression gains nothing. */
const minBytes = KiB;
/** Levels at which compression keeps up with networks. */
const gzipOptions = { level: 5 };
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const compressors: Readonly<Record<ContentEncoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: async (bytes) => await promisify(brotliCompress)(bytes, brotliOptions),
  gzip: async (bytes) => await promisify(gzip)(bytes, gzipOptions),
};

/** Another release of a compressor produces other bytes from the same text. */
const { zlib, brotli } = process.versions;
const release = hash('sha256', `${zlib} ${brotli}`, 'hex').slice(0, 4);
const endOf = (encoding: ContentEncoding): string => `-${encoding}-${release}"`;
const anyEnd = /-(?:br|gzip)-[0-9a-f]{4}"/g;

/** Excludes event streams, which must arrive event by event. */
const textType =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?(?:json|xml)\b|application\/javascript)/i;
const isText = (type: unknown): boolean => typeof type === 'string' && textType.test(type);

/**
 * Compresses text for clients that accept it. Files with ranges stay as they are, because their strong ETag names their bytes, and so do
 * answers that a route has encoded itself. A compressed answer has its own ETag, which routes never see.
 */
export function addCompression(app: App): void {
  /** ETags that clients have sent, where they differ from those of the routes. */
  const sentTags = new WeakMap<FastifyRequest, string>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const { 'if-none-match': known, 'if-match': wanted } = headers;
    const encoding = encodingFor(headers['accept-encoding']);
    // The client's copy does not count if its encoding differs from the one that would be sent now.
    if (encoding !== undefined && known?.includes(endOf(encoding)) === true) {
      sentTags.set(request, known);
      headers['if-none-match'] = known.replaceAll(endOf(encoding), '"');
    }
    if (wanted !== undefined) headers['if-match'] = wanted.replaceAll(anyEnd, '"');
    done();
  });

  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const isFile = reply.hasHeader('content-encoding') || reply.hasHeader('accept-ranges');
    if (isFile || request.method === 'OPTIONS') return payload;
    if (reply.statusCode === 304) describeCopy(request, reply, sentTags.get(request));
    return isText(reply.getHeader('content-type')) ? await compressed(request, reply, payload) : payload;
  });
}

/** Sets the ETag and `Vary` of an answer without content to those of the client's copy. */
function describeCopy(request: FastifyRequest, reply: FastifyReply, sent: string | undefined): void {
  if (isOfText(request)) addToVary(reply, 'Accept-Encoding');
  const encoding = encodingFor(request.headers['accept-encoding']);
  const own = encoding && encodedTag(reply.getHeader('etag'), encoding);
  if (own !== undefined && sent?.includes(own) === true) reply.header('etag', own);
}

/** Returns the ETag of a text in an encoding; undefined unless the text has a strong ETag. */
function encodedTag(etag: unknown, encoding: ContentEncoding): string | undefined {
  return typeof etag === 'string' && etag.startsWith('"') ? etag.slice(0, -1) + endOf(encoding) : undefined;
}

/** Returns true if the route of a request declares text answers. */
function isOfText({ routeOptions }: FastifyRequest): boolean {
  const responses: Readonly<Record<string, unknown>> = Object(routeOptions.schema?.response);
  const types = Object.keys(Object(Object(responses['200']).content));
  return types.some(isText);
}

async function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isStream = payload instanceof Readable;
  const length = reply.getHeader('content-length');
  // The answer to HEAD has the length of its content but no content.
  const isUnsent = isStream && request.method === 'HEAD';
  if (isStream && length !== undefined && !isUnsent) return payload;
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const size = Buffer.isBuffer(bytes) ? bytes.length : Number(length ?? Infinity);
  if (!isStream && !Buffer.isBuffer(bytes)) return payload;
  if (size < minBytes) return payload;
  addToVary(reply, 'Accept-Encoding');
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (encoding === undefined) return payload;
  const etag = encodedTag(reply.getHeader('etag'), encoding);
  if (etag !== undefined) reply.header('etag', etag);
  reply.header('content-encoding', encoding).removeHeader('content-length');
  if (Buffer.isBuffer(bytes)) return await compressors[encoding](bytes);
  if (!isStream || isUnsent) return payload;
  const packed = encoding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
  // An error on either side ends the other side, and with it the answer.
  return pipeline(payload, packed, () => undefined);
}
