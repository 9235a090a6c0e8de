import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createJobEnds } from '../../jobs/job-ends.ts';
import type { PendingResult } from '../../jobs/results.ts';
import type { Listener } from '../../database/listener.ts';
import { pendingPhrases } from '../../messages/hectares.ts';
import { translate } from '../../messages/languages/translate.ts';
import { decimalInteger } from '../../validation/fields.ts';
import { answerIn } from '../language/language.ts';
import { jsonResponse } from '../openapi/responses.ts';

/** The query of a route whose content a job may have to make first. */
export const waitQuery = {
  wait: decimalInteger(0, 60, 25).describe('Longest wait for content that is not made yet, seconds'),
};

const Pending = z
  .object({
    status: z.literal('pending').describe('Always `pending`'),
    message: z.string().describe('The same in words'),
  })
  .meta({
    id: 'PendingResult',
    description: 'A job is making the content; the same request has it later',
    examples: [{ status: 'pending', message: pendingPhrases.underWay.english }],
  });

/** The answer of such a route while a job is making its content. */
export const pendingResponse = {
  202: jsonResponse('A job is making the content; send the request again after `Retry-After`', Pending),
};

interface ResultWaitersOptions {
  readonly listener: Listener;
  readonly draining: AbortSignal;
  /** Above it every waiter is answered at once. */
  readonly maxWaiters?: number;
}

export type ResultWaiters = ReturnType<typeof createResultWaiters>;

/** Long polls on results that jobs make. */
export function createResultWaiters({ listener, draining, maxWaiters = 2000 }: ResultWaitersOptions) {
  const jobEnds = createJobEnds(listener);
  let size = 0;
  draining.addEventListener('abort', jobEnds.wakeAll);

  return {
    /**
     * Returns what `look` finds once it is made: at once, or when its job ends within `wait` seconds. Else it answers 202 with
     * `Retry-After` and returns undefined: the handler then returns the reply. @throws what `look` throws.
     */
    async readyOr202<T extends { readonly isPending: false }>(
      request: FastifyRequest,
      reply: FastifyReply,
      { wait, look }: { readonly wait: number; readonly look: () => Promise<T | PendingResult> },
    ): Promise<T | undefined> {
      // An answer before this one on its connection may have left a time limit that is shorter than the wait.
      reply.raw.setTimeout(0);
      const until = performance.now() + wait * 1000;
      size += 1;
      try {
        for (;;) {
          const found = await look();
          if (!found.isPending) return found;
          const left = until - performance.now();
          if (left <= 0 || size > maxWaiters || draining.aborted || reply.raw.destroyed) break;
          const { news, end } = jobEnds.wait(found.ref, left);
          reply.raw.once('close', end);
          await news;
          reply.raw.off('close', end);
        }
      } finally {
        size -= 1;
      }
      const message = translate(pendingPhrases.underWay, answerIn(request, reply));
      await reply
        .code(202)
        .header('retry-after', '1')
        .header('cache-control', 'no-store')
        .send({ status: 'pending', message });
      return undefined;
    },
    async close(): Promise<void> {
      draining.removeEventListener('abort', jobEnds.wakeAll);
      await jobEnds.close();
    },
  };
}
