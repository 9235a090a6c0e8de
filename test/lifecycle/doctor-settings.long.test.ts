import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cloneInto, makeClosedFolder, serviceUsers } from '../support/tools/clones.ts';
import { temporaryFolder } from '../support/for-tests.ts';
import { startIssuer } from '../support/http/issuer.ts';
import { listenOn } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { runToEnd, startService } from '../support/service.ts';
import { commandOf, examine, main } from './examine.ts';

const nobody = 65_534;

/** Runs a command on a system without user namespaces: they are forbidden in a namespace of its own. */
const newNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--keep-caps'];
const forbidNamespaces = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
const [unshare = '', ...newNamespaceArgs] = newNamespace;
const allowsNamespaces = spawnSync(unshare, [...newNamespaceArgs, 'true']).status === 0;
const withoutNamespaces = allowsNamespaces ? [...newNamespace, 'sh', '-c', forbidNamespaces, 'sh'] : [];

const folder = await temporaryFolder();

describe('./steppe doctor', () => {
  for (const user of serviceUsers) {
    test(`as ${user.name}, in a closed clone of its own`, async () => {
      await using place = await makeClosedFolder(user, 'closed');
      const clone = await cloneInto(place.folder);
      const command = [...user.prefix, join(clone, 'node_modules/.bin/node'), join(clone, 'src/main.ts')];
      const said = await examine({ dataDir: join(place.folder, 'data'), command, cwd: clone });
      assert.match(said, /^Data {7}\S+: is made by the first start, .+ free$/m);
      assert.match(said, /\n\nSteppe can work here\.\n$/);
    });
  }

  for (const isolation of ['none', ...(allowsNamespaces ? ['namespaces'] : [])]) {
    test(`says what ENGINE_ISOLATION=${isolation} means, and how it becomes stronger`, async () => {
      const said = await examine({
        dataDir: join(folder, 'data'),
        env: { ENGINE_ISOLATION: isolation, ENGINE_MEMORY_BYTES: '536870912', ENGINE_DEADLINE_SECONDS: '60' },
      });
      assert.match(
        said,
        new RegExp(
          `^Isolation {2}${isolation}: children .+\\n {11}ENGINE_ISOLATION asks for ${isolation}; this strengthens it:\\n {11}unset ENGINE_ISOLATION$`,
          'm',
        ),
      );
      assert.match(said, /^Limits {5}a child may use 512 MiB of memory and take 60 s$/m);
    });
  }

  test('names the one command where the system keeps bubblewrap from working', async () => {
    const said = await examine({
      dataDir: join(folder, 'data'),
      command: [...withoutNamespaces, process.execPath, main],
    });
    assert.match(said, /^Isolation {2}none: children .+\n {11}.+; this strengthens it:\n {11}\S.+$/m);
  });

  test('finds a port in use, and an address that is none of this machine', async () => {
    const dataDir = join(folder, 'data');
    await using other = createServer();
    const port = await listenOn(other);
    const taken = await examine({ dataDir, env: { HTTP_PORT: String(port) } }, 1);
    assert.match(
      taken,
      new RegExp(`^Address {4}HTTP_PORT: port ${port} of 127.0.0.1 is already in use`, 'm'),
    );
    assert.match(taken, /\n\nSteppe cannot work here; see Address\.\n$/);
    for (const [host, why] of [
      ['192.0.2.1', 'is not an address of this machine'],
      ['nowhere.invalid', '(?:is known by|cannot listen on)'],
    ]) {
      const said = await examine({ dataDir, env: { HTTP_HOST: host ?? '' } }, 1);
      assert.match(said, new RegExp(`^Address {4}HTTP_HOST: .*${why}`, 'm'));
      assert.match(said, /\n\nSteppe cannot work here; see Address\.\n$/);
    }
  });

  test('says who may read and write', async () => {
    const said = async (env: Readonly<Record<string, string>>) =>
      /^Access {5}(.+)$/m.exec(await examine({ dataDir: join(folder, 'data'), env }))?.[1];
    assert.equal(
      await said({ HTTP_HOST: '0.0.0.0' }),
      'off: anyone who can reach 0.0.0.0 may read and write; AUTH_MODE=token asks for tokens',
    );
    assert.equal(
      await said({ PUBLIC_URL: 'https://steppe.example' }),
      'off: anyone whom the proxy of https://steppe.example lets through may read and write',
    );
    assert.equal(
      await said({ HTTP_HOST: '0.0.0.0', AUTH_MODE: 'token' }),
      'token: asks for tokens that ./steppe token makes',
    );
  });

  test('asks the issuer for its keys', async () => {
    await using issuer = await startIssuer();
    const dataDir = join(folder, 'data');
    const env = { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'https://steppe.example' };
    const known = `\nAccess     oidc: asks for tokens of ${issuer.url}, whose keys can be fetched\n`;
    assert.ok((await examine({ dataDir, env })).includes(known));

    const missed = `\nAccess     oidc: the keys of ${issuer.url} cannot be fetched: `;
    const none = async (reason: RegExp) => {
      const said = await examine({ dataDir, env }, 1);
      assert.ok(said.includes(missed), said);
      assert.match(said, reason);
      assert.match(said, /\n\nSteppe cannot work here; see Access\.\n$/);
    };
    issuer.answerWith((_, response) => response.end('{}'));
    await none(/openid-configuration does not describe an OpenID issuer$/m);
    issuer.answerWith(() => undefined);
    await none(/fetched: .*timeout/);
    issuer.answerWith(undefined);
    await issuer.close();
    await none(/ECONNREFUSED/);
  });
});

describe('where bubblewrap cannot work', () => {
  for (const role of ['serve', 'worker']) {
    test(`${role} does not start when ENGINE_ISOLATION asks for it, and says so in one line`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'steppe-isolation-'));
      const url = 'postgres://127.0.0.1:1/maps';
      const urls = { DATABASE_URL: url, MESSAGE_QUEUE_URL: url, OBJECT_STORE_URL: 'file:///nowhere' };
      const { code, output, stdout } = await runToEnd({
        dataDir,
        env: { ENGINE_ISOLATION: 'bubblewrap', ...(role === 'worker' && urls) },
        command: commandOf([...withoutNamespaces, process.execPath, main, role]),
      });
      assert.equal(code, 1, output);
      assert.match(output, /^steppe: ENGINE_ISOLATION: bubblewrap does not work here \(.+\)\. .+\.\n$/);
      assert.equal(stdout, '');
      assert.ok(!(await readdir(dataDir)).includes('postgres'));
      await rm(dataDir, { recursive: true });
    });
  }

  test('the worker of a service says once what would strengthen the isolation', async () => {
    await using service = await startService({
      command: commandOf([...withoutNamespaces, process.execPath, main, 'serve']),
    });
    await eventually('engine', async () => service.output().includes('geo engine ready'));
    await eventually('warning', async () => service.output().includes('this strengthens it: '));
    assert.equal(service.output().split('uploads could be read in a stronger isolation').length, 2);
    assert.equal(await service.stop(), 0);
  });
});
