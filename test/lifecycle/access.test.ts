import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../support/ask.ts';
import { runSteppe, runToEnd, type Service, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/for-tests.ts';

const scopes = 'data:read,catalog:write';

const dataDir = await temporaryFolder();

describe('the token command', () => {
  test('makes tokens without a service and beside one, and revokes them at once', async () => {
    const early = await run('create', '--name', 'Early', '--scopes', scopes);
    assert.deepEqual([early.code, /there is no data .* migrate/.test(early.output)], [1, true], early.output);
    assert.equal((await runSteppe(['migrate'], { dataDir })).code, 0);
    const alone = await run('create', '--name', 'Field team', '--scopes', scopes);
    assert.equal(alone.code, 0, alone.output);
    await using service = await startService({ dataDir, env: { AUTH_MODE: 'token', LOG_LEVEL: 'trace' } });
    const beside = await run('create', '--name', 'Map', '--scopes', 'data:read', '--expires-in-days', '1');
    const [first, second] = [alone.stdout.trimEnd(), beside.stdout.trimEnd()];
    assert.notEqual(first, second);

    assert.equal(await statusWith(service, undefined), 401);
    for (const token of [first, second]) assert.equal(await statusWith(service, token), 200);
    assert.equal(await statusWith(service, first, 'POST'), 400); // no body
    assert.equal(await statusWith(service, second, 'POST'), 403);

    const [, head = '', ...listed] = /^(.*)\n([^]*)$/.exec((await run('list')).stdout) ?? [];
    assert.match(head, /^ID +STATE +CREATED +EXPIRES +LAST USED +SCOPES +NAME$/);
    assert.match(listed.join(''), /valid .* never +20\S+ \S+Z +data:read,catalog:write +Field team$/m);

    const id = first.slice(7, 23);
    assert.match((await run('revoke', id)).stdout, new RegExp(`^Token ${id} is void\\.\n$`));
    assert.equal(await statusWith(service, first), 401);
    assert.equal(await statusWith(service, second), 200);
    assert.equal((await run('revoke', id)).code, 0);
    assert.match((await run('list')).stdout, new RegExp(`^${id} +revoked `, 'm'));

    for (const token of [first, second]) {
      const said = service.output() + (await run('list')).output;
      assert.ok(!said.includes(token.slice(24)), 'a secret was written');
      assert.ok(!service.output().includes('postgres://'));
    }
  });

  const mistakes: Readonly<Record<string, readonly string[]>> = {
    '--name': ['create', '--scopes', scopes],
    'in at most 255 printable characters': ['create', '--name', 'a\u001B[2J', '--scopes', scopes],
    '--scopes': ['create', '--name', 'x'],
    'some of data:read, data:write, catalog:write, landscape:run': [
      'create',
      '--name',
      'x',
      '--scopes',
      'data:read,*',
    ],
    '--expires-in-days: a whole number from 1 to 36500, not -3': [
      'create',
      '--name',
      'x',
      '--scopes',
      scopes,
      '--expires-in-days',
      '-3',
    ],
    'there is no token 0123456789abcdef': ['revoke', '0123456789abcdef'],
    'create, list or revoke; see ./steppe token --help': [],
    '--name is only for token create': ['list', '--name', 'x'],
  };
  for (const [what, args] of Object.entries(mistakes)) {
    test(`refuses ${JSON.stringify(args)}`, async () => {
      const { code, output } = await run(...args);
      assert.deepEqual([code, output.includes(what)], [1, true], output);
      assert.doesNotMatch(output, /steppe_[0-9a-f]{16}_/);
    });
  }

  async function run(...args: readonly string[]) {
    return await runSteppe(['token', ...args], { dataDir });
  }
});

async function statusWith(service: Service, token: string | undefined, method = 'GET'): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (await ask(portOf(service), method, '/categories', { headers })).status;
}

function portOf({ baseUrl }: Service) {
  return { port: Number(new URL(baseUrl).port) };
}

const warning = /anyone who can reach this address may read and write/;

describe('a service', () => {
  test('of its own machine answers under loopback names alone, and warns of nothing', async () => {
    await using service = await startService();
    const under = async (host: string) =>
      (await ask(portOf(service), 'GET', '/healthz', { headers: { host } })).status;
    assert.deepEqual(
      await Promise.all(['localhost', '127.0.0.1:1', 'evil.example'].map(under)),
      [200, 200, 403],
    );
    assert.doesNotMatch(service.output(), warning);
  });

  test('that says where it is found answers under any name', async () => {
    await using service = await startService({ env: { PUBLIC_URL: 'https://steppe.example' } });
    const { status } = await ask(portOf(service), 'GET', '/categories', { headers: { host: 'x.example' } });
    assert.equal(status, 200);
  });

  test('that is open to the network and asks for nothing warns when it starts', async () => {
    await using service = await startService({ env: { HTTP_HOST: '0.0.0.0' } });
    assert.match(service.output(), warning);
    const { status } = await ask(portOf(service), 'GET', '/categories', { headers: { host: 'x.example' } });
    assert.equal(status, 200);
  });

  test('that asks for tokens warns of nothing', async () => {
    await using service = await startService({ env: { HTTP_HOST: '0.0.0.0', AUTH_MODE: 'token' } });
    assert.doesNotMatch(service.output(), warning);
  });

  test('with half of its settings does not start, and names the other half in one line', async () => {
    const env = { AUTH_MODE: 'oidc', OIDC_ISSUER: 'https://id.example' };
    const { code, output } = await runToEnd({ dataDir, env });
    assert.deepEqual(
      [code, output],
      [1, 'steppe: Wrong configuration. OIDC_AUDIENCE: not set, but AUTH_MODE is oidc\n'],
    );
  });
});
