import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../common/errors.ts';
import { type ByteRange, ObjectMissing, type ObjectStore } from '../../object-store/object-store.ts';
import { isListed, matches, requestedRange } from './conditions.ts';
import { chooseEncoding, type ContentEncoding, encodeContent } from './content-encoding.ts';

export interface SentObject {
  /** Objects never change, so the key says it all: the ETag is made of it. */
  readonly key: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to negotiate gzip and br. */
  readonly isCompressible?: boolean;
}

/**
 * Answers GET or HEAD with an object: strong ETag, `If-Match`, `If-None-Match`, `If-Range`, single `Range`, exact length. The
 * stream ends with the connection.
 * @throws {Problem} `not_found` when the object is gone.
 */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  objectStore: ObjectStore,
  object: SentObject,
): Promise<FastifyReply> {
  const size = await objectStore.size(object.key);
  if (size === undefined) throw gone();
  const encoding = chooseFor(request, object);
  const etag = etagOf(object.key, encoding);
  const validators = { 'accept-ranges': 'bytes', 'cache-control': 'no-cache', etag, ...varyOf(object) };
  const isHead = request.method === 'HEAD';
  if (!matches(request.headers['if-match'], etag)) {
    reply.code(412).headers(validators);
    return await reply.send({
      error: 'the file is not the one that If-Match names; get it again as a whole',
    });
  }
  if (isListed(request.headers['if-none-match'], etag)) {
    reply.code(304).headers(validators);
    return await (isHead ? reply.send(unsentBody()) : reply.send());
  }
  const range = isHead ? undefined : requestedRange(request.headers, size, etag);
  if (range === 'unsatisfiable') {
    reply.code(416).headers({ ...validators, 'content-range': `bytes */${size}` });
    return await reply.send({ error: `the range lies outside of the file's ${size} bytes` });
  }
  const stream = isHead ? unsentBody() : await openObject(objectStore, object.key, range);
  // Only now that nothing can fail: an error answer must not carry the headers of the file.
  reply.headers({ ...validators, ...object.headers, 'content-type': object.contentType });
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  }
  if (encoding === undefined) {
    return await reply.header('content-length', lengthOf(range) ?? size).send(stream);
  }
  return await reply.header('content-encoding', encoding).send(encodeContent(stream, encoding));
}

/** For HEAD, of which nothing is sent: without a stream Fastify would say that the length is 0. */
function unsentBody(): Readable {
  return Readable.from([]);
}

function varyOf({ isCompressible }: SentObject): Readonly<Record<string, string>> {
  return isCompressible === true ? { vary: 'Accept-Encoding' } : {};
}

/** A range is one of bytes as they are stored, so a request for one gets no encoding. */
function chooseFor(request: FastifyRequest, object: SentObject): ContentEncoding | undefined {
  const negotiates = object.isCompressible === true && request.headers.range === undefined;
  return negotiates ? chooseEncoding(request.headers['accept-encoding']) : undefined;
}

function etagOf(key: string, encoding: ContentEncoding | undefined): string {
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return `"${digest}${encoding === undefined ? '' : `-${encoding}`}"`;
}

function lengthOf(range: ByteRange | undefined): number | undefined {
  return range === undefined ? undefined : range.end - range.start + 1;
}

async function openObject(
  objectStore: ObjectStore,
  key: string,
  range: ByteRange | undefined,
): Promise<Readable> {
  try {
    return await objectStore.read(key, range);
  } catch (error) {
    throw error instanceof ObjectMissing ? gone(error) : error;
  }
}

function gone(cause?: unknown): Problem {
  return new Problem('not_found', 'the file is gone', { cause });
}
