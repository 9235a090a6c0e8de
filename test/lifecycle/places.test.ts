import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startService } from '../support/service.ts';
import { createCategory, isReady } from './catalogue.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const nobody = 65_534;
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
/** A name holds at most 255 bytes, hence several. */
const longNames = Array.from({ length: 4 }, (_, index) => `Дала деректері, қабат ${index} ${'ұ'.repeat(30)}`);

describe('with clone and DATA_DIR in a closed folder under a long path with a blank and Cyrillic letters, and an empty environment, the service is ready', () => {
  if (process.getuid?.() === 0) {
    test('as root', async () => await assertReadyIn(await makeFolder(), []));
    test('as an ordinary user', async () => await assertReadyIn(await makeFolder(nobody), asNobody));
  } else {
    test('as this ordinary user', async () => await assertReadyIn(await makeFolder(), []));
  }
});

async function makeFolder(owner?: number): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'steppe-place-'));
  await chmod(outer, 0o755);
  let closed = outer;
  for (const name of longNames) {
    closed = join(closed, name);
    await mkdir(closed, { mode: 0o700 });
    if (owner !== undefined) await chown(closed, owner, owner);
  }
  return closed;
}

async function assertReadyIn(folder: string, prefix: readonly string[]): Promise<void> {
  const dataDir = join(folder, 'data');
  assert.ok([...dataDir].length > 150 && /\s/.test(dataDir) && /\p{Script=Cyrillic}/u.test(dataDir));
  try {
    const clone = await cloneInto(folder);
    const [file, ...args] = [...prefix, join(clone, 'node_modules/.bin/node'), join(clone, 'src/main.ts')];
    await using service = await startService({ dataDir, cwd: clone, command: [file, ...args, 'serve'] });
    assert.ok(await isReady(service.baseUrl));
    await createCategory(service.baseUrl);
    assert.equal(await service.stop(), 0);
  } finally {
    await rm(join(folder, ...longNames.map(() => '..')), { recursive: true });
  }
}

/** What a set-up clone consists of, its folders as private as the one that it is in; files are linked, not copied, where they can be. */
async function cloneInto(folder: string): Promise<string> {
  const clone = join(folder, 'steppe');
  const { uid } = await stat(folder);
  await mkdir(clone, { mode: 0o700 });
  for (const part of ['package.json', 'src', 'seeds', 'node_modules']) {
    await run('cp', ['-al', join(project, part), clone]).catch(
      async () => await run('cp', ['-a', '--force', join(project, part), clone]),
    );
  }
  await rm(join(clone, 'node_modules/.cache'), { recursive: true, force: true });
  await run('find', [clone, '-type', 'd', '-exec', 'chown', String(uid), '{}', '+']);
  return clone;
}
