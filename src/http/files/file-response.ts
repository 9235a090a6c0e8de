import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../common/errors.ts';
import { type ByteRange, ObjectMissing, type ObjectStore } from '../../object-store/object-store.ts';
import { fileProblems } from '../../messages/request.ts';
import { isListed, matches, requestedRange } from './conditions.ts';
import { chooseEncoding, type ContentEncoding } from './content-encoding.ts';

interface SentObject {
  /** Objects never change, so the ETag is made of the key. */
  readonly key: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The keys of the encoded forms among which the client negotiates; null for one that there is not. */
  readonly encodedKeys?: Readonly<Record<ContentEncoding, string | null>>;
}

/**
 * Answers GET or HEAD with an object that can be replaced at any moment; when it vanishes between the look-up and the first
 * byte, its successor is sent. Serves the encoded form that the client prefers, a strong ETag, `If-Match`, `If-None-Match`,
 * `If-Range`, a single `Range` and the exact length; the stream ends with the connection.
 * @throws {Problem} `not_found` when the object is gone and has no successor.
 */
export async function sendCurrentObject(
  request: FastifyRequest,
  reply: FastifyReply,
  objectStore: ObjectStore,
  lookUp: () => Promise<SentObject>,
): Promise<FastifyReply> {
  for (let object = await lookUp(); ;) {
    try {
      return await sendObject(request, reply, objectStore, object);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      const successor = await lookUp();
      if (successor.key === object.key) throw error;
      object = successor;
    }
  }
}

async function sendObject(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  objectStore: ObjectStore,
  object: SentObject,
): Promise<FastifyReply> {
  const { key, size, encoding } = await findForm(objectStore, object, headers);
  const etag = etagOf(key);
  const vary = object.encodedKeys === undefined ? {} : { vary: 'Accept-Encoding' };
  const validators = { 'accept-ranges': 'bytes', 'cache-control': 'no-cache', etag, ...vary };
  const isHead = method === 'HEAD';
  if (!matches(headers['if-match'], etag)) {
    reply.code(412).headers(validators);
    return await reply.send({ error: fileProblems.changed });
  }
  if (isListed(headers['if-none-match'], etag)) {
    reply.code(304).headers(validators);
    return await (isHead ? reply.send(unsentBody()) : reply.send());
  }
  const range = isHead ? undefined : requestedRange(headers, size, etag);
  if (range === 'unsatisfiable') {
    reply.code(416).headers({ ...validators, 'content-range': `bytes */${size}` });
    return await reply.send({ error: fileProblems.outOfRange(size) });
  }
  const stream = isHead ? unsentBody() : await openObject(objectStore, key, range);
  // Only now that nothing can fail: an error answer must not carry the headers of the file.
  reply.headers({ ...validators, ...object.headers, 'content-type': object.contentType });
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  if (range === undefined) return await reply.header('content-length', size).send(stream);
  reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return await reply.header('content-length', range.end - range.start + 1).send(stream);
}

/** Finds the form that the client prefers; the object as it is where the store has not that form, or for a range. */
async function findForm(
  objectStore: ObjectStore,
  { key, encodedKeys }: SentObject,
  headers: IncomingHttpHeaders,
): Promise<{ key: string; size: number; encoding?: ContentEncoding }> {
  const encoding = headers.range === undefined ? chooseEncoding(headers['accept-encoding']) : undefined;
  const encodedKey = encoding === undefined ? undefined : encodedKeys?.[encoding];
  if (encoding !== undefined && encodedKey) {
    const size = await objectStore.size(encodedKey);
    if (size !== undefined) return { key: encodedKey, size, encoding };
  }
  const size = await objectStore.size(key);
  if (size === undefined) throw fileProblems.gone();
  return { key, size };
}

/** Stands for the body of a HEAD answer: without a stream Fastify would set the length to 0. */
function unsentBody(): Readable {
  return Readable.from([]);
}

function etagOf(key: string): string {
  return `"${createHash('sha256').update(key).digest('hex').slice(0, 32)}"`;
}

async function openObject(store: ObjectStore, key: string, range: ByteRange | undefined): Promise<Readable> {
  try {
    return await store.read(key, range);
  } catch (error) {
    throw error instanceof ObjectMissing ? fileProblems.gone().because(error) : error;
  }
}
