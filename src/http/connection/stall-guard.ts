import type { App } from '../fastify/app-type.ts';

const defaultStallMs = 60_000;

/**
 * Gives up connections on which nothing moves for `stallMs` while an answer is sent: a client that does not read holds
 * a file, a buffer and a socket. One that reads slowly is left alone.
 */
export function addStallGuard(app: Pick<App, 'addHook'>, stallMs = defaultStallMs): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.raw.setTimeout(stallMs); // after the answer the keep-alive timeout takes its place
  });
}
