import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerByEtag } from '../answer/answer.ts';

interface SentBytes {
  readonly etag: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly open: () => Promise<Buffer | Readable>;
}

/** Answers GET or HEAD with bytes whose ETag is strong. */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, headers, open }: SentBytes,
): Promise<FastifyReply> {
  const { vary } = headers;
  const validators = { etag, 'cache-control': 'no-cache', ...(vary !== undefined && { vary: String(vary) }) };
  const known = answerByEtag(request, reply, { etag, validators });
  if (known !== undefined) return await known;
  // Only once nothing can fail: an error answer must not carry the headers of the file.
  const body = request.method === 'HEAD' ? Readable.from([]) : await open();
  return await reply.headers({ ...validators, ...headers }).send(body);
}
