import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { token } from '../../src/commands/token.ts';
import { readConfig } from '../../src/config.ts';
import { startApi } from '../../src/runtime/api/api.ts';
import { openComponents } from '../../src/runtime/components.ts';
import { ask } from '../support/http/ask.ts';
import { runHere, settingsOn } from '../support/tools/commands.ts';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { listenOn } from '../support/ports.ts';

const scopes = 'data:read,catalog:write';

const database = await closeAfterTests(openTestDatabase());
const settings = settingsOn(database.target, join(await temporaryFolder(), 'data'));

/** Opens the api in this process, as its command does. */
async function openApi(env: Readonly<Record<string, string>> = {}) {
  const config = readConfig({ ...settings, ...env });
  let said = '';
  const log = pino({ level: 'trace' }, { write: (line) => void (said += line) });
  const shutdown = new AbortController();
  await using opening = new AsyncDisposableStack();
  const components = await openComponents(config, undefined, 'api', log);
  opening.defer(async () => await components.close());
  const { url, close } = await startApi(
    { role: 'api', config, components, log, shutdown: shutdown.signal, isPrepared: true },
    opening,
  );
  const opened = opening.move();
  return {
    port: Number(new URL(url).port),
    output: () => said,
    /** Ends the api as its shutdown does. */
    async end() {
      shutdown.abort();
      await close();
    },
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

type Api = Awaited<ReturnType<typeof openApi>>;

describe('the token command', () => {
  const run = async (...args: readonly string[]) => await runHere(token, args, settings);

  test('makes tokens for a service that works, and revokes them at once', async () => {
    await using api = await openApi({ AUTH_MODE: 'token' });
    const made = [
      await run('create', '--name', 'Field team', '--scopes', scopes),
      await run('create', '--name', 'Map', '--scopes', 'data:read', '--expires-in-days', '1'),
    ];
    const [first = '', second = ''] = made.map(({ stdout }) => stdout.trimEnd());
    assert.notEqual(first, second);

    assert.equal(await statusWith(api, undefined), 401);
    for (const each of [first, second]) assert.equal(await statusWith(api, each), 200);
    assert.equal(await statusWith(api, first, 'POST'), 400); // no body
    assert.equal(await statusWith(api, second, 'POST'), 403);

    const [, head = '', ...listed] = /^(.*)\n([^]*)$/.exec((await run('list')).stdout) ?? [];
    assert.match(head, /^ID +STATE +CREATED +EXPIRES +LAST USED +SCOPES +NAME$/);
    assert.match(listed.join(''), /valid .* never +20\S+ \S+Z +data:read,catalog:write +Field team$/m);

    const id = first.slice(7, 23);
    assert.match((await run('revoke', id)).stdout, new RegExp(`^Token ${id} is void\\.\n$`));
    assert.equal(await statusWith(api, first), 401);
    assert.equal(await statusWith(api, second), 200);
    assert.equal((await run('revoke', id)).code, 0);
    const { output } = await run('list');
    assert.match(output, new RegExp(`^${id} +revoked `, 'm'));

    for (const each of [first, second]) {
      assert.ok(!(api.output() + output).includes(each.slice(24)), 'a secret was written');
    }
    assert.ok(!api.output().includes('postgres://'));
  });

  const create = ['create', '--name', 'x', '--scopes'];
  const mistakes: Readonly<Record<string, readonly string[]>> = {
    '--name': ['create', '--scopes', scopes],
    'in at most 255 printable characters': ['create', '--name', 'a\u001B[2J', '--scopes', scopes],
    '--scopes': ['create', '--name', 'x'],
    'some of data:read, data:write, catalog:write, landscape:run': [...create, 'data:read,*'],
    '--expires-in-days: a whole number from 1 to 36500, not -3': [
      ...create,
      scopes,
      '--expires-in-days',
      '-3',
    ],
    'there is no token 0123456789abcdef': ['revoke', '0123456789abcdef'],
    'create, list or revoke': [],
    '--name is only for token create': ['list', '--name', 'x'],
  };
  for (const [what, args] of Object.entries(mistakes)) {
    test(`refuses ${JSON.stringify(args)}`, async () => {
      await assert.rejects(run(...args), ({ message }: Error) => message.includes(what));
    });
  }
});

async function statusWith(api: Api, bearer: string | undefined, method = 'GET'): Promise<number> {
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  return (await ask(api, method, '/categories', { headers })).status;
}

async function statusUnder(api: Api, host: string): Promise<number> {
  return (await ask(api, 'GET', '/categories', { headers: { host } })).status;
}

const warning = /anyone who can reach this address may read and write/;

describe('an api', () => {
  test('of its own machine answers under loopback names alone, and warns of nothing', async () => {
    await using api = await openApi();
    const hosts = ['localhost', '127.0.0.1:1', 'evil.example'];
    const statuses = await Promise.all(hosts.map(async (host) => await statusUnder(api, host)));
    assert.deepEqual(statuses, [200, 200, 403]);
    assert.doesNotMatch(api.output(), warning);
  });

  test('that says where it is found answers under any name', async () => {
    await using api = await openApi({ PUBLIC_URL: 'https://steppe.example' });
    assert.equal(await statusUnder(api, 'x.example'), 200);
  });

  test('that is open to the network and asks for nothing warns when it starts', async () => {
    await using api = await openApi({ HTTP_HOST: '0.0.0.0' });
    assert.match(api.output(), warning);
    assert.equal(await statusUnder(api, 'x.example'), 200);
  });

  test('that asks for tokens warns of nothing', async () => {
    await using api = await openApi({ HTTP_HOST: '0.0.0.0', AUTH_MODE: 'token' });
    assert.doesNotMatch(api.output(), warning);
  });

  test('on a port in use says so', async () => {
    await using server = createServer();
    const port = String(await listenOn(server));
    for (const variable of ['HTTP_PORT', 'METRICS_PORT']) {
      await assert.rejects(openApi({ [variable]: port }), ({ message }: Error) =>
        message.startsWith(`${variable}: port ${port} of 127.0.0.1 is already in use`),
      );
    }
  });

  test('that is asked to end does not wait for an upload that never ends', async () => {
    await using api = await openApi({ DRAIN_DELAY_SECONDS: '0', DRAIN_SECONDS: '1' });
    const arrived = Promise.withResolvers<void>();
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\n');
      arrived.resolve();
      await new Promise(() => undefined);
    }
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
    const sent = { method: 'POST', headers, body: ReadableStream.from(body()), duplex: 'half' } as const;
    const upload = assert.rejects(fetch(`http://127.0.0.1:${api.port}/datasets`, sent));
    await arrived.promise;
    await sleep(300);
    await Promise.all([upload, api.end()]);
  });
});
