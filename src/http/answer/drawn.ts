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
import { fileProblems } from '../../messages/request/english.ts';

/** An answer that is created on request. */
export interface DrawnAnswer extends Pick<Answer, 'headers' | 'lasting' | 'hasRanges'> {
  /** Everything that the bytes depend on; answers with equal parts are equal byte by byte. */
  readonly parts: Parts;
  /** Budget of the client for which the content is drawn. */
  readonly budget?: TileBudget;
  /** Draws the content; undefined for an answer without content. @param signal aborts when the client leaves */
  draw(signal: AbortSignal): Promise<DrawnBody | undefined>;
}

export interface DrawnBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the answer for an existing text, or for an object as JSON. */
export function textAnswer(content: object | string, contentType = json): DrawnAnswer {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { parts: [text], draw: async () => ({ contentType, bytes: Buffer.from(text) }) };
}

/** Returns an object as the JSON body of an answer. */
export const jsonBody = (content: object): DrawnBody => ({
  contentType: json,
  bytes: Buffer.from(JSON.stringify(content)),
});

/** The drawn object may be replaced again while its successor is looked up. */
const maxTries = 4;
/** Memory of a cached answer in addition to its body. */
const entryBytes = 1024;

/** The drawing client has left or spent its budget; another client that requests the same answer draws it. */
class FailedForOne extends Error {
  override readonly name = 'FailedForOne';
  constructor(options: ErrorOptions) {
    super('the answer was not drawn', options);
  }
}

export type DrawnAnswers = ReturnType<typeof createDrawnAnswers>;

/**
 * Creates the sender of drawn answers, and caches the most recent ones: the route and the ETag identify the bytes,
 * whatever is changed or deleted in the meantime.
 * @param options.maxKeptBytes limit of all cached answers.
 */
export function createDrawnAnswers({ maxKeptBytes = 16 * MiB } = {}) {
  const kept = createCache<DrawnBody | undefined>({
    maxBytes: maxKeptBytes,
    bytesOf: (body) => (body?.bytes.length ?? 0) + entryBytes,
  });

  /** Draws once for all concurrent requests; a failure that concerns only the drawing client is not shared. */
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
     * Answers GET or HEAD with drawn content. If a source object disappears after the look-up, its replacement is sent.
     * @param lookUp finds the current content.
     * @param forget makes the next look-up ask the database.
     * @throws {Problem} `not_found` if an object has disappeared without a replacement.
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

/** Returns true if an object has disappeared since the look-up. */
function isGone(error: unknown): boolean {
  return error instanceof ObjectMissing || (error instanceof Problem && error.sentence?.code === 'file.gone');
}
