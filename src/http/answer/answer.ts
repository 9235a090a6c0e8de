import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileProblems } from '../../messages/request/english.ts';
import type { ByteRange } from '../../object-store/object-store.ts';
import { answerIn, errorBody } from '../language/language.ts';
import { inDialects } from '../openapi/standards.ts';
import { etagOf, isListed, matches, requestedRange } from './conditions.ts';

export const json = 'application/json; charset=utf-8';
const year = 31_536_000;

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly etag: string;
  /** Headers that 304, 412 and 416 carry as well. */
  readonly headers?: Headers | undefined;
  /** May be cached forever, by shared caches or only by the client; otherwise clients revalidate it each time. */
  readonly lasting?: 'public' | 'private' | undefined;
  /** True for a file that supports range requests. */
  readonly hasRanges?: boolean | undefined;
  /** Creates the content, unless the client's copy is current; undefined for an answer without content. */
  open(): Promise<Content | undefined>;
}

export interface Content {
  /** Headers of the content alone, including its type. */
  readonly headers: Headers;
  /** In bytes; undefined while it is being written. */
  readonly size: number | undefined;
  /** Reads the whole content, or a range. */
  read(range: ByteRange | undefined): Promise<Buffer | Readable>;
  /** True for content in memory: HEAD reads it too, because compression may change its length. */
  readonly isInMemory?: boolean;
  /** Returns headers by which a proxy sends the content, or a range of it, in place of this process. */
  sentElsewhere?(range: ByteRange | undefined): Headers | undefined;
  /** Releases content that is not read. */
  close?(): void;
}

/**
 * Sets the headers of an answer to GET or HEAD according to `If-Match`, `If-None-Match`, `If-Range` and a single
 * `Range`, and returns its body. The conditions of a POST concern no content and are ignored.
 */
export async function prepareAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, headers, lasting, hasRanges = false, open }: Answer,
): Promise<unknown> {
  const { headers: asked, method, url } = request;
  const isHead = method === 'HEAD';
  const validators = {
    'cache-control': lasting === undefined ? 'no-cache' : `${lasting}, max-age=${year}, immutable`,
    etag,
    ...(hasRanges && { 'accept-ranges': 'bytes' }),
    ...headers,
  };
  if (method !== 'POST' && !matches(asked['if-match'], etag)) {
    reply.code(412).headers(validators);
    return inDialects(url, 412, errorBody(fileProblems.changed, answerIn(request, reply)));
  }
  if (method !== 'POST' && isListed(asked['if-none-match'], etag)) {
    reply.code(304).headers(validators);
    return isHead ? unsent() : undefined;
  }
  const content = await open();
  if (content === undefined) {
    reply.code(204).headers(validators);
    return undefined;
  }
  const { size } = content;
  const range = isHead || !hasRanges || size === undefined ? undefined : requestedRange(asked, size, etag);
  if (range === 'unsatisfiable') {
    content.close?.();
    reply.code(416).headers({ ...validators, 'content-range': `bytes */${size}` });
    return errorBody(fileProblems.outOfRange(size ?? 0), answerIn(request, reply));
  }
  const elsewhere = isHead ? undefined : content.sentElsewhere?.(range);
  if (elsewhere !== undefined) {
    content.close?.();
    const { 'accept-ranges': _, ...kept } = validators; // added by the proxy
    reply.headers({ ...kept, ...content.headers, ...elsewhere });
    return Buffer.alloc(0);
  }
  const isSent = !isHead || content.isInMemory === true;
  if (!isSent) content.close?.();
  const body = isSent ? await content.read(range) : unsent();
  // Set only once nothing can fail: an error answer must not carry the headers of the content.
  reply.headers({ ...validators, ...content.headers });
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  const length = range === undefined ? size : range.end - range.start + 1;
  if (length !== undefined) reply.header('content-length', length);
  return body;
}

/** Answers GET or HEAD with content that has an ETag. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<FastifyReply> {
  return await reply.send(await prepareAnswer(request, reply, answer));
}

/** Answers with a text, or with an object as JSON; the ETag is its digest. */
export async function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type = json }: { readonly body: object | string; readonly type?: string },
): Promise<FastifyReply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const open = async () => contentOf(Buffer.from(text), { 'content-type': type });
  return await sendAnswer(request, reply, { etag: etagOf(text), open });
}

/** Returns content from memory. */
export function contentOf({ buffer, byteOffset, length: size }: Uint8Array, headers: Headers): Content {
  return {
    headers,
    size,
    isInMemory: true,
    read: async ({ start, end } = { start: 0, end: size - 1 }) =>
      Buffer.from(buffer, byteOffset + start, end - start + 1),
  };
}

/** Replaces the body of an answer without one: without a stream Fastify would set the length to 0. */
const unsent = (): Readable => Readable.from([]);
