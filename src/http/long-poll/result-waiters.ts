import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { PendingResult } from '../../jobs/results.ts';
import type { Listener } from '../../database/listener.ts';
import { pendingPhrases } from '../../messages/hectares.ts';
import { translate } from '../../messages/languages/translate.ts';
import { decimalInteger } from '../../validation/fields.ts';
import { answerIn } from '../language/language.ts';
import { jsonResponse } from '../openapi/responses.ts';

/** The channel on which the database tells the end of a job whose result a request may wait for: what the job was about. */
const channel = 'job_ends';
const sweepMs = 1000;

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

/** Long polls on results that jobs make. They hold no database connection: one LISTEN and one timer serve them all. */
export function createResultWaiters({ listener, draining, maxWaiters = 2000 }: ResultWaitersOptions) {
  const wakesByRef = new Map<string, Set<() => void>>();
  let size = 0;
  const wakeAll = () => {
    for (const wakes of wakesByRef.values()) for (const wake of wakes) wake();
  };
  // A notification may be lost, and a result may come without a job.
  const sweeping = setInterval(wakeAll, sweepMs);
  const subscription = listener.subscribe(
    channel,
    (ref) => {
      for (const wake of wakesByRef.get(ref) ?? []) wake();
    },
    wakeAll,
  );
  draining.addEventListener('abort', wakeAll);

  /** Resolves at the next news of `ref`, or after so many milliseconds. */
  async function news(ref: string, ms: number, answer: FastifyReply['raw']): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wakes = wakesByRef.get(ref) ?? new Set();
    wakesByRef.set(ref, wakes.add(resolve));
    const timer = setTimeout(resolve, ms);
    answer.once('close', resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      answer.off('close', resolve);
      wakes.delete(resolve);
      if (wakes.size === 0) wakesByRef.delete(ref);
    }
  }

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
          await news(found.ref, left, reply.raw);
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
      clearInterval(sweeping);
      draining.removeEventListener('abort', wakeAll);
      wakeAll();
      await subscription.close();
    },
  };
}
