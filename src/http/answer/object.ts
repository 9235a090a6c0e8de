import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../lib/errors.ts';
import {
  type ByteRange,
  ObjectMissing,
  type ObjectReader,
  type OpenObject,
} from '../../object-store/object-store.ts';
import { fileProblems } from '../../messages/request.ts';
import { createBodyBuffers } from './body-buffers.ts';
import { etagOf, isListed, matches, requestedRange } from './conditions.ts';
import { chooseEncoding, type ContentEncoding } from '../files/content-headers.ts';
import { answerIn, errorBody } from '../language/language.ts';

const takeBuffer = createBodyBuffers();

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
  objectStore: ObjectReader,
  lookUp: () => Promise<SentObject>,
): Promise<FastifyReply> {
  for (let object = await lookUp(); ;) {
    try {
      const body = await prepareAnswer(request, reply, objectStore, object);
      return await reply.send(body);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      const successor = await lookUp();
      if (successor.key === object.key) throw error;
      object = successor;
    }
  }
}

/** Sets the head of the answer and returns its body; the object is let go of before the body is sent. */
async function prepareAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  objectStore: ObjectReader,
  object: SentObject,
): Promise<unknown> {
  const { headers, method } = request;
  using form = await findForm(objectStore, object, headers);
  const { key, size, encoding } = form;
  const etag = etagOf(key);
  const vary = object.encodedKeys === undefined ? {} : { vary: 'Accept-Encoding' };
  const validators = { 'accept-ranges': 'bytes', 'cache-control': 'no-cache', etag, ...vary };
  const isHead = method === 'HEAD';
  if (!matches(headers['if-match'], etag)) {
    reply.code(412).headers(validators);
    return errorBody(fileProblems.changed, answerIn(request, reply));
  }
  if (isListed(headers['if-none-match'], etag)) {
    reply.code(304).headers(validators);
    return isHead ? unsentBody() : undefined;
  }
  const range = isHead ? undefined : requestedRange(headers, size, etag);
  if (range === 'unsatisfiable') {
    reply.code(416).headers({ ...validators, 'content-range': `bytes */${size}` });
    return errorBody(fileProblems.outOfRange(size), answerIn(request, reply));
  }
  const body = isHead ? unsentBody() : await readBody(objectStore, form, range, reply);
  // Only now that nothing can fail: an error answer must not carry the headers of the file.
  reply.headers({ ...validators, ...object.headers, 'content-type': object.contentType });
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  if (range === undefined) {
    reply.header('content-length', size);
    return body;
  }
  reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  reply.header('content-length', range.end - range.start + 1);
  return body;
}

/** The form of an object that is sent. Disposing of it lets go of the object. */
interface SentForm extends Disposable {
  readonly key: string;
  readonly size: number;
  readonly encoding?: ContentEncoding;
  readonly fill: OpenObject['fill'];
}

/** Finds the form that the client prefers; the object as it is where the store has not that form, or for a range. */
async function findForm(
  objectStore: ObjectReader,
  { key, encodedKeys }: SentObject,
  headers: IncomingHttpHeaders,
): Promise<SentForm> {
  const encoding = headers.range === undefined ? chooseEncoding(headers['accept-encoding']) : undefined;
  const encodedKey = encoding === undefined ? undefined : encodedKeys?.[encoding];
  if (encoding !== undefined && encodedKey) {
    const encoded = await find(objectStore, encodedKey);
    if (encoded !== undefined) return { ...encoded, encoding };
  }
  const plain = await find(objectStore, key);
  if (plain === undefined) throw fileProblems.gone();
  return plain;
}

async function find(objectStore: ObjectReader, key: string): Promise<SentForm | undefined> {
  const opened = await objectStore.open(key);
  if (opened === undefined) return undefined;
  const { sizeBytes: size, fill } = opened;
  return { key, size, fill, [Symbol.dispose]: () => opened[Symbol.dispose]() };
}

/** Reads a short body into memory, which is sent with one write; a long one becomes a stream. */
async function readBody(
  store: ObjectReader,
  { key, size, fill }: SentForm,
  range: ByteRange | undefined,
  reply: FastifyReply,
): Promise<Buffer | Readable> {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  // An answer whose turn on the connection has not come may never hear that its client has gone.
  const isNext = reply.raw.socket !== null && !reply.raw.destroyed;
  const buffer = isNext ? takeBuffer(end - start + 1) : undefined;
  if (buffer === undefined) return await openObject(store, key, range);
  reply.raw.once('finish', () => buffer.giveBack('reuse')); // the system has all of it
  reply.raw.once('close', () => buffer.giveBack('drop'));
  await fill(buffer.bytes, start).catch(rethrowAsGone);
  return buffer.bytes;
}

/** Stands for the body of a HEAD answer: without a stream Fastify would set the length to 0. */
function unsentBody(): Readable {
  return Readable.from([]);
}

async function openObject(store: ObjectReader, key: string, range: ByteRange | undefined): Promise<Readable> {
  return await store.read(key, range).catch(rethrowAsGone);
}

function rethrowAsGone(error: unknown): never {
  throw error instanceof ObjectMissing ? fileProblems.gone().because(error) : error;
}
