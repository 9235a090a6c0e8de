import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts when the client closes its connection before it has the answer. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('the client has gone'));
  });
  return controller.signal;
}
