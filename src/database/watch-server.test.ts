import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { eventually } from '../../test/support/processes.ts';
import { openTcpProxy } from '../../test/support/ports.ts';
import { createDatabaseConnection } from './connect.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

const database = await closeAfterTests(openTestDatabase());
const socketPath = join(String(database.target.host), '.s.PGSQL.5432');

/** A pool of two connections through a proxy that can be frozen. */
async function openCabled() {
  const proxy = await openTcpProxy();
  proxy.lead(socketPath);
  const silences: boolean[] = [];
  const connection = createDatabaseConnection(
    { ...database.target, host: '127.0.0.1', port: proxy.port },
    {
      maxConnections: 2,
      applicationName: 'steppe-watched',
      onError: () => undefined,
      onSilence: (isSilent) => void silences.push(isSilent),
      watch: { doubtAfterMs: 300, probeWithinMs: 1000 },
    },
  );
  const ask = async (seconds = 0) => {
    const startedAt = performance.now();
    const outcome = await sql`select pg_sleep(${seconds})`.execute(connection.db).then(
      () => 'answered',
      (error: unknown) => (isDatabaseUnavailable(error) ? 'unavailable' : String(error)),
    );
    return { outcome, ms: performance.now() - startedAt };
  };
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    await connection.close();
  });
  return { ...connection, proxy, silences, ask };
}

describe('watch of the server', () => {
  it('ends what waits when nothing comes any more, refuses at once then, and works again when it comes', async () => {
    const { ask, proxy, silences } = await openCabled();
    assert.equal((await ask()).outcome, 'answered');
    proxy.freeze();
    // Two statements on connections, and two that wait for one.
    const waiting = await Promise.all([ask(), ask(), ask(), ask()]);
    for (const { outcome, ms } of waiting) {
      assert.equal(outcome, 'unavailable');
      assert.ok(ms < 4000, `${ms} ms`);
    }
    const refused = await ask();
    assert.equal(refused.outcome, 'unavailable');
    assert.ok(refused.ms < 100, `${refused.ms} ms`);
    proxy.thaw();
    // A probe that started before the thaw ends first.
    await eventually('an answer', async () => (await ask()).outcome === 'answered');
    assert.deepEqual(silences, [true, false]);
  });

  it('lets a slow statement end, however long it takes', async () => {
    const { ask, silences } = await openCabled();
    assert.equal((await ask(2)).outcome, 'answered');
    assert.deepEqual(silences, []);
  });

  it('ends a statement that the server knows nothing of, and no other', async () => {
    const { ask, proxy, silences } = await openCabled();
    assert.equal((await ask()).outcome, 'answered');
    proxy.freeze();
    proxy.thaw(); // old connections are lost, new ones work
    const [lost, slow] = await Promise.all([ask(), ask(2.5)]);
    assert.equal(lost.outcome, 'unavailable');
    assert.ok(lost.ms < 4000, `${lost.ms} ms`);
    assert.equal(slow.outcome, 'answered');
    assert.equal((await ask()).outcome, 'answered');
    assert.deepEqual(silences, []);
  });
});
