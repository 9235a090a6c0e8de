import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cloneInto, makeClosedFolder, serviceUsers } from '../support/clones.ts';
import { eventually } from '../support/processes.ts';
import { launchService, postmasterPid, startService } from '../support/service.ts';
import { isReady } from './catalogue.ts';

const nobody = 65_534;
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Has a command find a system that allows no user namespaces: they are forbidden in one of its own. */
const newNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--keep-caps'];
const forbidNamespaces = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
const [unshare = '', ...newNamespaceArgs] = newNamespace;
const allowsNamespaces = spawnSync(unshare, [...newNamespaceArgs, 'true']).status === 0;
const withoutNamespaces = allowsNamespaces ? [...newNamespace, 'sh', '-c', forbidNamespaces, 'sh'] : [];

describe('./steppe doctor', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steppe-doctor-'));
  });
  after(async () => await rm(folder, { recursive: true }));

  test('says how things stand beside a service and without one, and changes nothing', async () => {
    const dataDir = join(folder, 'data');
    const before = await examine({ dataDir });
    assert.match(before, /^Node\.js {4}24\.\d+\.\d+$/m);
    assert.match(before, /^GDAL {7}\d+\.\d+\.\d+, \d+ of its \d+ drivers in use$/m);
    assert.match(before, /^Isolation {2}(?:bubblewrap|namespaces|none): children .+$/m);
    assert.match(before, /^Limits {5}a child may use .+ of memory and take 3600 s$/m);
    assert.ok(before.includes(`\nData       ${dataDir}: is made by the first start, `));
    assert.match(before, /^Database {3}embedded, starts and ends with the service$/m);
    assert.match(before, /^Service {4}none works with this DATA_DIR\n\nSteppe can work here\.\n$/m);
    assert.deepEqual(await readdir(folder), []);

    await using service = await startService({ dataDir });
    const postgres = await service.postgresPid();
    const note = await readFile(join(dataDir, 'service.json'), 'utf8');
    const during = await examine({ dataDir });
    assert.ok(during.includes(`\nData       ${dataDir}: can be written, `));
    assert.match(during, /^Database {3}embedded: PostgreSQL 18\.\d+ answers$/m);
    assert.match(during, new RegExp(`^Service {4}process ${service.pid} works with this DATA_DIR$`, 'm'));
    assert.equal(await readFile(join(dataDir, 'service.json'), 'utf8'), note);
    assert.equal(await service.postgresPid(), postgres);
    assert.ok(await isReady(service.baseUrl));
    assert.equal(await service.stop(), 0);

    const names = await readdir(dataDir);
    assert.match(await examine({ dataDir }), /^Service {4}none works with this DATA_DIR$/m);
    assert.deepEqual(await readdir(dataDir), names);
    assert.equal(await postmasterPid(dataDir), undefined);
  });

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

  test('ends with 1 and names what keeps the service from working, without secrets', async () => {
    const file = join(folder, 'no-folder');
    await writeFile(file, '');
    const said = await examine(
      { dataDir: file, env: { DATABASE_URL: 'postgres://steppe:secret@127.0.0.1:1/maps' } },
      1,
    );
    assert.ok(said.includes(`\nData       ${file} can not be used: ${file} is no folder\n`));
    assert.match(said, /^Database {3}127\.0\.0\.1:1\/maps does not answer: .*ECONNREFUSED.*$/m);
    assert.match(said, /\n\nSteppe can not work here; see Data, Database\.\n$/);
    assert.ok(!said.includes('secret'));
  });
});

describe('where bubblewrap can not work', () => {
  for (const role of ['serve', 'worker']) {
    test(`${role} does not start when ENGINE_ISOLATION asks for it, and says so in one line`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'steppe-isolation-'));
      const url = 'postgres://127.0.0.1:1/maps';
      const urls = { DATABASE_URL: url, MESSAGE_QUEUE_URL: url, OBJECT_STORE_URL: 'file:///nowhere' };
      const { exited, output, stdout } = launchService({
        dataDir,
        env: { ENGINE_ISOLATION: 'bubblewrap', ...(role === 'worker' && urls) },
        command: commandOf([...withoutNamespaces, process.execPath, main, role]),
      });
      assert.equal(await exited(), 1, output());
      assert.match(output(), /^steppe: ENGINE_ISOLATION: bubblewrap does not work here \(.+\)\. .+\.\n$/);
      assert.equal(stdout(), '');
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

interface Examination {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What runs the commands of Steppe. */
  readonly command?: readonly string[];
  readonly cwd?: string;
}

/** What the doctor says; on stdout, and nothing beside it. */
async function examine(
  { command = [process.execPath, main], ...options }: Examination,
  code = 0,
): Promise<string> {
  const { exited, stdout, output } = launchService({
    ...options,
    command: commandOf([...command, 'doctor']),
  });
  assert.equal(await exited(), code, output());
  assert.equal(output(), stdout());
  return stdout();
}

function commandOf([file = '', ...args]: readonly string[]): readonly [string, ...string[]] {
  return [file, ...args];
}
