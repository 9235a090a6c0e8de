import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../lib/errors.ts';
import {
  type ByteRange,
  ObjectMissing,
  type ObjectReader,
  type OpenObject,
} from '../../object-store/object-store.ts';
import { fileProblems } from '../../messages/request/english.ts';
import { createBodyBuffers } from './body-buffers.ts';
import { prepareAnswer } from './answer.ts';
import { etagOf } from './conditions.ts';
import { headersForProxy } from './proxy-files.ts';
import { chooseEncoding, type ContentEncoding } from '../files/content-headers.ts';

const takeBuffer = createBodyBuffers();

interface SentObject {
  /** Objects never change, so the ETag is derived from the key. */
  readonly key: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Keys of the encoded forms that the client can negotiate; null for a missing form. */
  readonly encodedKeys?: Readonly<Record<ContentEncoding, string | null>>;
}

/**
 * Answers GET or HEAD with an object that can be replaced at any time, in the encoded form that the client prefers; if
 * it disappears between the look-up and the first byte, its successor is sent. The stream ends with the connection.
 * @throws {Problem} `not_found` if the object is gone and has no successor.
 */
export async function sendCurrentObject(
  request: FastifyRequest,
  reply: FastifyReply,
  objectStore: ObjectReader,
  lookUp: () => Promise<SentObject>,
): Promise<FastifyReply> {
  for (let object = await lookUp(); ;) {
    try {
      const body = await prepareObject(request, reply, objectStore, object);
      return await reply.send(body);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      const successor = await lookUp();
      if (successor.key === object.key) throw error;
      object = successor;
    }
  }
}

/** Sets the headers of the answer and returns its body; the object is released before the body is sent. */
async function prepareObject(
  request: FastifyRequest,
  reply: FastifyReply,
  objectStore: ObjectReader,
  object: SentObject,
): Promise<unknown> {
  using form = await findForm(objectStore, object, request.headers);
  const { key, size, encoding } = form;
  const headers = {
    ...object.headers,
    'content-type': object.contentType,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  };
  return await prepareAnswer(request, reply, {
    etag: etagOf(key),
    headers: object.encodedKeys && { vary: 'Accept-Encoding' },
    hasRanges: true,
    open: async () => ({
      headers,
      size,
      read: async (range) => await readBody(objectStore, form, range, reply),
      sentElsewhere: (range) =>
        encoding === undefined ? headersForProxy(request, objectStore, key, range !== undefined) : undefined,
    }),
  });
}

/** The form of an object to send. Disposal releases the object. */
interface SentForm extends Disposable {
  readonly key: string;
  readonly size: number;
  readonly encoding?: ContentEncoding;
  readonly fill: OpenObject['fill'];
}

/** Finds the form that the client prefers; the original object for a range or if the store lacks that form. */
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

/** Reads a short body into memory, to send it with one write; returns a stream for a long one. */
async function readBody(
  store: ObjectReader,
  { key, size, fill }: SentForm,
  range: ByteRange | undefined,
  reply: FastifyReply,
): Promise<Buffer | Readable> {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  // An answer that waits for its turn on a pipelined connection may never learn that its client has left.
  const isNext = reply.raw.socket !== null && !reply.raw.destroyed;
  const buffer = isNext ? takeBuffer(end - start + 1) : undefined;
  if (buffer === undefined) return await openObject(store, key, range);
  reply.raw.once('finish', () => buffer.giveBack('reuse')); // the system has copied all of it
  reply.raw.once('close', () => buffer.giveBack('drop'));
  await fill(buffer.bytes, start).catch(rethrowAsGone);
  return buffer.bytes;
}

async function openObject(store: ObjectReader, key: string, range: ByteRange | undefined): Promise<Readable> {
  return await store.read(key, range).catch(rethrowAsGone);
}

function rethrowAsGone(error: unknown): never {
  throw error instanceof ObjectMissing ? fileProblems.gone().because(error) : error;
}
