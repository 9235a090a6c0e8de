import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { openListener } from './listener.ts';

describe('listener', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(async () => {
    await database.close();
  });

  const notify = async (channel: string, payload: string): Promise<void> => {
    await sql`select pg_notify(${channel}, ${payload})`.execute(database.db);
  };
  const ignore = (): void => undefined;

  it('hears its channels and no others, until the subscription is closed', async () => {
    const listener = await openListener(database.target, { onError: ignore });
    const heard: string[] = [];
    const first = Promise.withResolvers<void>();
    const subscription = listener.subscribe('one_channel', (payload) => heard.push(payload), first.resolve);
    const second = Promise.withResolvers<void>();
    const all = Promise.withResolvers<void>();
    listener.subscribe(
      'other_channel',
      (payload) => (payload === 'end' ? all.resolve() : undefined),
      second.resolve,
    );
    await Promise.all([first.promise, second.promise]);
    await notify('one_channel', 'a');
    await notify('third_channel', 'x');
    await notify('one_channel', 'b');
    await notify('other_channel', 'end');
    await all.promise;
    assert.deepEqual(heard, ['a', 'b']);
    await subscription.close();
    await notify('one_channel', 'c');
    await notify('other_channel', 'end');
    await delay(50);
    assert.deepEqual(heard, ['a', 'b']);
    await listener.close();
  });

  it('tells every subscriber of one channel, and keeps the channel while one is left', async () => {
    const listener = await openListener(database.target, { onError: ignore });
    const heardByFirst: string[] = [];
    const ready = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const first = listener.subscribe('shared', (payload) => heardByFirst.push(payload));
    listener.subscribe('shared', (payload) => (payload === 'end' ? end.resolve() : undefined), ready.resolve);
    await ready.promise;
    await notify('shared', 'both');
    await notify('shared', 'both again');
    while (heardByFirst.length < 2) await delay(5);
    await first.close();
    await notify('shared', 'end');
    await end.promise;
    assert.deepEqual(heardByFirst, ['both', 'both again']);
    await listener.close();
  });

  it('comes back after its connection was ended, and says that news may have been missed', async () => {
    const errors: unknown[] = [];
    const listener = await openListener(database.target, { onError: (error) => errors.push(error) });
    let listens = 0;
    let back = Promise.withResolvers<void>();
    const heard: string[] = [];
    const count = (): void => {
      listens += 1;
      back.resolve();
    };
    listener.subscribe('again', (payload) => heard.push(payload), count);
    await back.promise;
    for (let round = 2; round <= 4; round += 1) {
      back = Promise.withResolvers();
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'steppe-listener' and datname = current_database()`.execute(database.db);
      await back.promise;
      assert.equal(listens, round);
      await notify('again', String(round));
      while (heard.at(-1) !== String(round)) await delay(5);
    }
    assert.equal(errors.length, 3);
    await listener.check();
    await listener.close();
    await assert.rejects(listener.check());
  });

  it('opens while the database is away, and hears it as soon as it is there', async () => {
    const socketPath = join(String(database.target.host), '.s.PGSQL.5432');
    const port = await freePort();
    const target = { ...database.target, host: '127.0.0.1', port };
    const listener = await openListener(target, { onError: ignore });
    await assert.rejects(listener.check());
    const ready = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<string>();
    listener.subscribe('late', heard.resolve, ready.resolve);
    const proxy = await openProxy(port, socketPath);
    await ready.promise;
    await notify('late', 'hello');
    assert.equal(await heard.promise, 'hello');
    await listener.close();
    await proxy.close();
  });

  it('refuses a channel name that would need quoting', async () => {
    const listener = await openListener(database.target, { onError: ignore });
    assert.throws(() => listener.subscribe('x; drop table jobs', ignore), /not a channel name/);
    await listener.close();
  });
});

async function freePort(): Promise<number> {
  const proxy = await openProxy(0, '/nowhere');
  await proxy.close();
  return proxy.port;
}

async function openProxy(
  port: number,
  socketPath: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(socketPath);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('data', (chunk) => to.write(chunk));
      from.on('close', () => to.destroy());
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: isInet(address) ? address.port : port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function isInet(address: string | AddressInfo | null): address is AddressInfo {
  return address !== null && typeof address !== 'string';
}
