import type { FastifyReply } from 'fastify';

/** Signals that the client closed its connection before the answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Returns a signal that aborts with `ClientGone` when the client leaves before the answer, or has already left. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => {
    if (!raw.writableFinished) controller.abort(new ClientGone('the client has gone'));
  };
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  return controller.signal;
}
