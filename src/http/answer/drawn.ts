import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientOf } from '../access/authentication.ts';
import type { TileBudget } from '../limits/tile-budget.ts';
import { untilGone } from '../request/until-gone.ts';
import { type Answer, contentOf, json, sendAnswer } from './answer.ts';
import { etagOfParts, type Parts } from './conditions.ts';
import { createCache } from '../../../common/cache.ts';
import { Problem } from '../../lib/errors.ts';
import { MiB } from '../../lib/units.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import { fileProblems } from '../../messages/request.ts';

/** An answer that is made on demand. */
export interface DrawnAnswer extends Pick<Answer, 'headers' | 'lasting' | 'hasRanges'> {
  /** All that it depends on; whatever has the same parts is the same, byte by byte. */
  readonly parts: Parts;
  /** Pays for the drawing, on behalf of the client that has it drawn. */
  readonly budget?: TileBudget;
  /** Draws it; undefined for an answer without content. @param signal aborts when the client leaves */
  draw(signal: AbortSignal): Promise<DrawnBody | undefined>;
}

export interface DrawnBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the answer with a text that is known, or with an object as JSON. */
export function textAnswer(content: object | string, contentType = json): DrawnAnswer {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { parts: [text], draw: async () => ({ contentType, bytes: Buffer.from(text) }) };
}

/** Returns an object as the body of an answer. */
export const jsonBody = (content: object): DrawnBody => ({
  contentType: json,
  bytes: Buffer.from(JSON.stringify(content)),
});

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
    drawIt: () => Promise<DrawnBody | undefined>,
    isGone: () => boolean,
  ): Promise<DrawnBody | undefined> {
    let isOwn = false;
    const drawOwn = async () => {
      isOwn = true;
      try {
        return await drawIt();
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
    { parts, budget, ...answer }: DrawnAnswer,
  ): Promise<FastifyReply> {
    const etag = etagOfParts(parts);
    const name = `${request.routeOptions.url ?? ''} ${etag}`;
    const open = async () => {
      const drawIt = async () => {
        const signal = untilGone(reply);
        const work = async () => await answer.draw(signal);
        return await (budget?.spend(clientOf(request), work, signal) ?? work());
      };
      const body = await draw(name, drawIt, () => reply.raw.destroyed);
      return body && contentOf(body.bytes, { ...body.headers, 'content-type': body.contentType });
    };
    return await sendAnswer(request, reply, { ...answer, etag, open });
  }

  return {
    /**
     * Answers GET or HEAD with something drawn. When an object that it is drawn from has gone since the look-up, whatever has taken its place
     * is sent.
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
