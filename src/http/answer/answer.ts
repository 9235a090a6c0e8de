import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileProblems } from '../../messages/request.ts';
import { answerIn, errorBody } from '../language/language.ts';
import { inDialects } from '../openapi/doors.ts';
import { isListed, matches } from './conditions.ts';

/** The ETag of a content, with which clients compare their copy. */
interface Validated {
  /** A strong ETag. */
  readonly etag: string;
  /** Stand in every answer about the content; the ETag is one of them. */
  readonly validators: Readonly<Record<string, string>>;
}

/** Answers 412 or 304 to a client whose `If-Match` or `If-None-Match` asks for that; undefined where the content is to be sent. */
export function answerByEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, validators }: Validated,
): FastifyReply | undefined {
  const { headers, url } = request;
  if (!matches(headers['if-match'], etag)) {
    reply.code(412).headers(validators);
    return reply.send(inDialects(url, 412, errorBody(fileProblems.changed, answerIn(request, reply))));
  }
  return isListed(headers['if-none-match'], etag) ? reply.code(304).headers(validators).send() : undefined;
}

/** Answers 416 to a client that asks for a range beyond the content of `size` bytes. */
export function answerOutOfRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, validators }: { readonly size: number } & Pick<Validated, 'validators'>,
): FastifyReply {
  reply.code(416).headers({ ...validators, 'content-range': `bytes */${size}` });
  return reply.send(errorBody(fileProblems.outOfRange(size), answerIn(request, reply)));
}
