import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { startTestApp } from '../../support/app.ts';
import { insertCategory, upload } from '../../support/datasets.ts';
import { openSocket, request } from '../../support/http/raw-http.ts';

const pending = /\r\n\r\n\{"id":"[0-9a-f-]{36}","status":"pending","parse_error":null\}$/;

test('an unchanged status is told after `wait` seconds, 25 by default, and no other time limit comes before', async () => {
  await using app = await startTestApp();
  const { id } = await upload(app, { category_id: await insertCategory(app.services.db) });
  const told: string[] = [];
  const poll = async (name: string, { seconds, query, first = '' }: Poll): Promise<void> => {
    const socket = await openSocket(app.port);
    const startedAt = performance.now();
    socket.write(first + request('GET', `/datasets/${id}/status?current=pending${query}`, {}));
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (pending.test(text)) socket.destroy();
    });
    socket.once('end', () => socket.destroy());
    await once(socket, 'close');
    assert.match(text, pending, name);
    assert.ok(performance.now() - startedAt >= seconds * 1000 - 5, name); // timers round down
    told.push(name);
  };
  await Promise.all([
    poll('none', { seconds: 0, query: '&wait=0' }),
    poll('one', { seconds: 1, query: '&wait=1' }),
    poll('default', { seconds: 25, query: '' }),
    poll('minute', { seconds: 60, query: '&wait=60' }),
    // A file is sent with its own time limit, which must not remain afterwards.
    poll('minute after a file', {
      seconds: 60,
      query: '&wait=60',
      first: request('GET', `/datasets/${id}/download`, {}),
    }),
  ]);
  assert.deepEqual(told.slice(0, 3), ['none', 'one', 'default']);
});

interface Poll {
  readonly seconds: number;
  readonly query: string;
  /** Request sent before on the same connection, without waiting for its answer. */
  readonly first?: string;
}
