import { z } from 'zod';
import { createCache } from '../../../common/cache.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import type { App } from '../../http/request/schemas.ts';
import { jsonResponse } from '../../http/openapi/responses.ts';
const checkMs = 2_000;
/** Minimum interval between checks; requests in between get the last result. A check writes to the disk, and any client may request it. */
const checkEveryMs = 1_000;

const Health = z
  .object({ status: z.string().describe('Always `ok`') })
  .meta({ id: 'Health', description: 'The process is alive', examples: [{ status: 'ok' }] });
const Readiness = z
  .object({
    ready: z.boolean().describe('True if the service is ready'),
    components: z.record(z.string(), z.string()).describe('`ok` or `unavailable` by component'),
  })
  .meta({
    id: 'Readiness',
    description: 'The state of each component that the service needs',
    examples: [{ ready: true, components: { database: 'ok', object_store: 'ok', message_queue: 'ok' } }],
  });

export function registerHealthRoutes(
  app: App,
  {
    checks,
    draining,
  }: {
    readonly checks: Readonly<Record<'database' | 'object_store' | 'message_queue', () => Promise<void>>>;
    readonly draining: AbortSignal;
  },
): void {
  const kept = createCache<States>({ max: 1, ttlMs: checkEveryMs });
  const readStates = async () =>
    await kept.get('', async () => await Promise.all(Object.entries(checks).map(stateOf)));
  app.get('/healthz', {
    config: { scope: 'open' },
    schema: {
      operationId: 'getHealth',
      summary: 'Check whether the process is alive',
      description: 'Checks no component: 200 while the process can answer.',
      tags: ['health'],
      response: { 200: jsonResponse('Alive', Health) },
    },
    handler: async () => ({ status: 'ok' }),
  });

  app.get('/readyz', {
    config: { scope: 'open' },
    schema: {
      operationId: 'getReadiness',
      summary: 'Check whether database, object store and message queue can be reached',
      description:
        'Checks each of them, for at most two seconds, and once a second for all clients. The answer does not give the reason of a failure.',
      tags: ['health'],
      response: {
        200: jsonResponse('All components are reachable', Readiness),
        503: jsonResponse('A component is unavailable, or the service is shutting down', Readiness),
      },
    },
    handler: async (_request, reply) => {
      const states = await readStates();
      const ready = !draining.aborted && states.every(([, state]) => state === 'ok');
      return await reply.code(ready ? 200 : 503).send({ ready, components: Object.fromEntries(states) });
    },
  });
}

type States = readonly (readonly [name: string, state: 'ok' | 'unavailable'])[];

/** Returns the state of a component; the reason of a failure is not exposed. */
async function stateOf([name, check]: readonly [string, () => Promise<void>]): Promise<States[number]> {
  try {
    await withTimeout(checkMs, check());
    return [name, 'ok'];
  } catch {
    return [name, 'unavailable'];
  }
}
