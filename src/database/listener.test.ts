import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { eventually } from '../../test/support/processes.ts';
import { openTcpProxy } from '../../test/support/ports.ts';
import { openListener } from './listener.ts';

const { db, target } = await closeAfterTests(openTestDatabase());

const notify = async (channel: string, payload: string): Promise<void> => {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
};
const ignore = (): void => undefined;

describe('listener', () => {
  it('tells every subscriber of its channel, and of no other, until the subscription is closed', async () => {
    const listener = await openListener(target, { onError: ignore });
    const subscribe = async (channel: string) => {
      const heard: string[] = [];
      const ready = Promise.withResolvers<void>();
      const { close } = listener.subscribe(channel, (payload) => heard.push(payload), ready.resolve);
      await ready.promise;
      return { heard, close };
    };
    const [first, second, other] = [
      await subscribe('one_channel'),
      await subscribe('one_channel'),
      await subscribe('other_channel'),
    ];
    /** Resolves when the notification, and therefore all earlier ones, have been received. */
    const say = async (payload: string): Promise<void> => {
      for (const channel of ['one_channel', 'third_channel', 'other_channel']) await notify(channel, payload);
      await eventually(payload, async () => other.heard.includes(payload));
    };
    await say('a');
    await first.close();
    await say('b');
    await second.close();
    await say('c');
    assert.deepEqual([first.heard, second.heard, other.heard], [['a'], ['a', 'b'], ['a', 'b', 'c']]);
    await listener.close();
  });

  it('comes back after its connection was ended, and says that news may have been missed', async () => {
    const errors: unknown[] = [];
    const listener = await openListener(target, { onError: (error) => errors.push(error) });
    let listens = 0;
    let back = Promise.withResolvers<void>();
    const heard: string[] = [];
    const count = (): void => {
      listens += 1;
      back.resolve();
    };
    listener.subscribe('again', (payload) => heard.push(payload), count);
    await back.promise;
    for (let round = 2; round <= 3; round += 1) {
      back = Promise.withResolvers();
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'steppe-listener' and datname = current_database()`.execute(db);
      await back.promise;
      assert.equal(listens, round);
      await notify('again', String(round));
      while (heard.at(-1) !== String(round)) await delay(5);
    }
    assert.equal(errors.length, 2);
    await listener.check();
    await listener.close();
    await assert.rejects(listener.check());
  });

  it('opens while the database is away, and hears it as soon as it is there', async () => {
    const socketPath = join(String(target.host), '.s.PGSQL.5432');
    const unused = await openTcpProxy();
    const { port } = unused;
    await unused[Symbol.asyncDispose]();
    const listener = await openListener({ ...target, host: '127.0.0.1', port }, { onError: ignore });
    await assert.rejects(listener.check());
    const ready = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<string>();
    listener.subscribe('late', heard.resolve, ready.resolve);
    await using proxy = await openTcpProxy(port);
    proxy.lead(socketPath);
    await ready.promise;
    await notify('late', 'hello');
    assert.equal(await heard.promise, 'hello');
    await listener.close();
  });

  it('hears what it says itself, and is not taken for unhealthy', async () => {
    const reports: boolean[] = [];
    let said = 0;
    const listener = await openListener(target, {
      onError: ignore,
      async notify(channel, payload) {
        await notify(channel, payload);
        said += 1;
      },
      onUnhealthy: (now) => reports.push(now),
      selfTest: { everyMs: 50, answerWithinMs: 1000 },
    });
    await eventually('said', async () => said >= 5);
    assert.deepEqual(reports, []);
    await listener.close();
  });

  it('notices that it is unhealthy, has its subscribers look again and again, and notices that it is healthy again', async () => {
    let isDeaf = true;
    const reports: boolean[] = [];
    const listener = await openListener(target, {
      onError: ignore,
      // A pooler accepts it, but does not deliver to the listening connection.
      notify: async (channel, payload) => (isDeaf ? undefined : await notify(channel, payload)),
      onUnhealthy: (now) => reports.push(now),
      selfTest: { everyMs: 50, answerWithinMs: 100, sweepEveryMs: 20 },
    });
    let sweeps = 0;
    listener.subscribe('unhealthy', ignore, () => (sweeps += 1));
    await listener.check(); // the connection itself works
    await eventually('swept', async () => sweeps >= 10);
    assert.deepEqual(reports, [true]);
    isDeaf = false;
    while (reports.length < 2) await delay(10);
    assert.deepEqual(reports, [true, false]);
    const before = sweeps;
    await delay(200);
    assert.equal(sweeps, before);
    await listener.close();
  });

  it('refuses a channel name that would need quoting', async () => {
    const listener = await openListener(target, { onError: ignore });
    assert.throws(() => listener.subscribe('x; drop table jobs', ignore), /not a channel name/);
    await listener.close();
  });
});
