import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerByEtag, answerOutOfRange } from './answer.ts';
import { etagOf, requestedRange } from './conditions.ts';
import { createCache } from '../../../common/cache.ts';
import { Problem } from '../../lib/errors.ts';
import { MiB } from '../../lib/units.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import { fileProblems } from '../../messages/request.ts';

/** An answer that is made on demand. */
export interface DrawnAnswer {
  /** All that it depends on; whatever has the same parts is the same, byte by byte. */
  readonly parts: readonly (string | number | null)[];
  /** May be kept for ever, by shared caches or by the client alone; otherwise it is asked for again each time. */
  readonly lasting?: 'public' | 'private' | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a file, of which clients may read ranges. */
  readonly hasRanges?: boolean;
  /** Draws it; undefined for an answer without content. */
  draw(): Promise<DrawnBody | undefined>;
}

export interface DrawnBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const year = 31_536_000;
/** Whatever is drawn may be replaced once more while its successor is looked up. */
const maxTries = 4;
/** Bytes that a kept answer takes in addition to its body. */
const entryBytes = 1024;

/** A client has gone or spent its budget: another one that asks for the same draws it. */
class FailedForOne extends Error {
  override readonly name = 'FailedForOne';
  constructor(options: ErrorOptions) {
    super('the answer was not drawn', options);
  }
}

/** Returns the strong ETag of what depends on these parts. */
function etagOfParts(parts: readonly (string | number | null)[]): string {
  return etagOf(JSON.stringify(parts));
}

export type DrawnAnswers = ReturnType<typeof createDrawnAnswers>;

/**
 * Creates what answers with something drawn, and keeps what was asked for last: the route and the ETag name its bytes, whatever is changed or
 * deleted meanwhile. @param options.maxKeptBytes of answers.
 */
export function createDrawnAnswers({ maxKeptBytes = 16 * MiB } = {}) {
  const kept = createCache<DrawnBody | undefined>({
    maxBytes: maxKeptBytes,
    bytesOf: (body) => (body?.bytes.length ?? 0) + entryBytes,
  });

  /** Draws once for all who ask at the same time; a failure that concerns the drawing client alone is not shared. */
  async function draw(
    name: string,
    answer: DrawnAnswer,
    isGone: () => boolean,
  ): Promise<DrawnBody | undefined> {
    let isOwn = false;
    const drawOwn = async () => {
      isOwn = true;
      try {
        return await answer.draw();
      } catch (cause) {
        const isSpent = cause instanceof Problem && cause.code === 'too_many';
        throw isSpent || isGone() ? new FailedForOne({ cause }) : cause;
      }
    };
    for (;;) {
      try {
        return await kept.get(name, drawOwn);
      } catch (error) {
        if (!(error instanceof FailedForOne)) throw error;
        if (isOwn) throw error.cause;
      }
    }
  }

  async function sendNow(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: DrawnAnswer,
  ): Promise<FastifyReply> {
    const { headers, method, routeOptions } = request;
    const etag = etagOfParts(answer.parts);
    const cacheControl =
      answer.lasting === undefined ? 'no-cache' : `${answer.lasting}, max-age=${year}, immutable`;
    const ranges = answer.hasRanges === true ? { 'accept-ranges': 'bytes' } : {};
    const validators = { 'cache-control': cacheControl, etag, ...ranges, ...answer.headers };
    const known = answerByEtag(request, reply, { etag, validators });
    if (known !== undefined) return await known;
    const body = await draw(`${routeOptions.url ?? ''} ${etag}`, answer, () => reply.raw.destroyed);
    // Only now that nothing can fail: an error answer must not carry the headers of the picture.
    reply.headers(validators);
    if (body === undefined) return await reply.code(204).send();
    const size = body.bytes.length;
    const isWhole = method === 'HEAD' || answer.hasRanges !== true;
    const range = isWhole ? undefined : requestedRange(headers, size, etag);
    if (range === 'unsatisfiable') return await answerOutOfRange(request, reply, { size, validators });
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (range !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
    reply.headers({
      ...body.headers,
      'content-type': body.contentType,
      'content-length': end - start + 1,
    });
    return await reply.send(
      method === 'HEAD'
        ? Readable.from([])
        : Buffer.from(body.bytes.buffer, body.bytes.byteOffset + start, end - start + 1),
    );
  }

  return {
    /**
     * Answers GET or HEAD with something drawn: strong ETag, `If-Match`, `If-None-Match` before anything is drawn, exact length. When an
     * object that it is drawn from has gone since the look-up, whatever has taken its place is sent.
     * @param lookUp finds what there is now. @param forget has the next look-up ask the database.
     * @throws {Problem} `not_found` when an object has gone and nothing has taken its place.
     */
    async send(
      request: FastifyRequest,
      reply: FastifyReply,
      lookUp: () => Promise<DrawnAnswer>,
      forget: () => void = () => undefined,
    ): Promise<FastifyReply> {
      for (let tries = 1; ; tries += 1) {
        try {
          return await sendNow(request, reply, await lookUp());
        } catch (error) {
          if (!isGone(error)) throw error;
          if (tries === maxTries) throw fileProblems.gone().because(error);
          forget();
        }
      }
    },
  };
}

/** Returns whether an object has gone since it was looked up. */
function isGone(error: unknown): boolean {
  return error instanceof ObjectMissing || (error instanceof Problem && error.sentence?.code === 'file.gone');
}
