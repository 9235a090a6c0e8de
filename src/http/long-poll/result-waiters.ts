import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createJobEnds } from '../../jobs/job-ends.ts';
import type { PendingResult } from '../../jobs/results.ts';
import type { Listener } from '../../database/listener.ts';
import { pendingPhrases } from '../../messages/areas/english.ts';
import { translate } from '../../messages/languages/translate.ts';
import { decimalInteger } from '../../validation/fields.ts';
import { answerIn } from '../language/language.ts';
import { jsonResponse } from '../openapi/responses.ts';

/** Query of a route whose content a job may have to create first. */
export const waitQuery = {
  wait: decimalInteger(0, 60, 25).describe('Longest wait for pending content, in seconds'),
};

const Pending = z
  .object({
    status: z.literal('pending').describe('Always `pending`'),
    message: z.string().describe('The status as a sentence'),
  })
  .meta({
    id: 'PendingResult',
    description: 'A job is creating the content; repeat the request later',
    examples: [{ status: 'pending', message: pendingPhrases.underWay.english }],
  });

/** The 202 answer of such a route while a job creates its content. */
export const pendingResponse = {
  202: jsonResponse('A job is making the content; send the request again after `Retry-After`', Pending),
};

interface ResultWaitersOptions {
  readonly listener: Listener;
  readonly draining: AbortSignal;
  /** Above this number, every waiter is answered at once. */
  readonly maxWaiters?: number;
}

export type ResultWaiters = ReturnType<typeof createResultWaiters>;

/** Creates long polls on results of jobs. */
export function createResultWaiters({ listener, draining, maxWaiters = 2000 }: ResultWaitersOptions) {
  const jobEnds = createJobEnds(listener);
  let size = 0;
  draining.addEventListener('abort', jobEnds.wakeAll);

  return {
    /**
     * Returns the result of `poll` at once if it is ready, otherwise when its job ends within `wait` seconds. After
     * that it answers 202 with `Retry-After` and returns undefined: the handler then returns the reply.
     * @throws the errors of `poll`.
     */
    async readyOr202<T extends { readonly isPending: false }>(
      request: FastifyRequest,
      reply: FastifyReply,
      { wait, poll }: { readonly wait: number; readonly poll: () => Promise<T | PendingResult> },
    ): Promise<T | undefined> {
      // A previous answer on this connection may have left a timeout shorter than the wait.
      reply.raw.setTimeout(0);
      const until = performance.now() + wait * 1000;
      size += 1;
      try {
        for (;;) {
          const found = await poll();
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
