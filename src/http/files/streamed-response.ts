import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileProblems } from '../../messages/request.ts';
import { answerIn, errorBody } from '../language/language.ts';
import { etagOf, isListed, matches } from './conditions.ts';

interface StreamedAnswer {
  /** All that its bytes depend on. */
  readonly parts: readonly (string | number | null)[];
  /** Of 304 and 412 as well. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the content alone, its type among them. */
  readonly contentHeaders: Readonly<Record<string, string>>;
  /** Begins to write it; what fails before there is something to send has an answer of its own. */
  write(): AsyncIterable<Uint8Array | string> | Promise<AsyncIterable<Uint8Array | string>>;
  /** What it needs until its client has all of it, or has gone; taken over. */
  readonly held: AsyncDisposableStack;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Answers GET or HEAD with something that is written while it is sent, as fast as its client takes it: strong ETag, `If-Match`, `If-None-Match`;
 * without length and ranges.
 */
export async function sendStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, headers: given, contentHeaders, write, held, signal }: StreamedAnswer,
): Promise<FastifyReply> {
  const etag = etagOf(JSON.stringify(parts));
  const headers = { ...given, etag, 'cache-control': 'no-cache' };
  if (!matches(request.headers['if-match'], etag)) {
    reply.code(412).headers(headers);
    return await reply.send(errorBody(fileProblems.changed, answerIn(request, reply)));
  }
  if (isListed(request.headers['if-none-match'], etag)) return await reply.code(304).headers(headers).send();
  const written = request.method === 'HEAD' ? [] : await write();
  signal.throwIfAborted();
  const body = Readable.from(written, { objectMode: false });
  const rest = held.move();
  body.once('close', () => void rest.disposeAsync().catch((error: unknown) => request.log.warn(error)));
  signal.addEventListener('abort', () => body.destroy(), { once: true });
  reply.headers({ ...headers, ...contentHeaders });
  return await reply.send(body);
}
