import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startService } from '../support/service.ts';
import { createCategory, isReady } from './catalogue.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const serve = [process.execPath, main, 'serve'] as const;
const nobody = 65_534;
/** A name holds at most 255 bytes, hence several. */
const longNames = Array.from({ length: 4 }, (_, index) => `Дала деректері, қабат ${index} ${'ұ'.repeat(30)}`);

describe('in a closed folder under a long path with a blank and Cyrillic letters, with an empty environment, the service is ready', () => {
  if (process.getuid?.() === 0) {
    test('as root', async () => await assertReadyIn(await makeFolder(), serve));
    test('as an ordinary user', async () => {
      const folder = await makeFolder(nobody);
      await assertReadyIn(folder, [...(await asNobody()), ...serve]);
    });
  } else {
    test('as this ordinary user', async () => await assertReadyIn(await makeFolder(), serve));
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

async function assertReadyIn(folder: string, command: readonly [string, ...string[]]): Promise<void> {
  const dataDir = join(folder, 'data');
  assert.ok([...dataDir].length > 150 && /\s/.test(dataDir) && /\p{Script=Cyrillic}/u.test(dataDir));
  try {
    await using service = await startService({ dataDir, command });
    assert.ok(await isReady(service.baseUrl));
    await createCategory(service.baseUrl);
    assert.equal(await service.stop(), 0);
  } finally {
    await rm(join(folder, ...longNames.map(() => '..')), { recursive: true });
  }
}

/** An ordinary user who may read this project, wherever root has put it, and nothing more. */
async function asNobody(): Promise<[string, ...string[]]> {
  const become = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] as const;
  const canRead = await promisify(execFile)(become[0], [
    ...become.slice(1),
    process.execPath,
    main,
    'help',
  ]).then(
    () => true,
    () => false,
  );
  const reading = '+dac_read_search';
  return canRead ? [...become] : [...become, `--inh-caps=${reading}`, `--ambient-caps=${reading}`];
}
