import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';

claim(['4.1 healthz'], 'the process says that it is alive', async ({ get }) => {
  assert.deepEqual(await get('/healthz'), { status: 'ok' });
});

claim(['4.1 readyz'], 'a service whose components answer is ready', async ({ get }) => {
  assert.deepEqual(await get('/readyz'), {
    ready: true,
    components: { database: 'ok', object_store: 'ok', message_queue: 'ok' },
  });
});

checkedElsewhere('test/http/health.test.ts', {
  'names the component that fails or does not answer, and never says why': ['4.1 readyz', '4.1 unavailable'],
});
