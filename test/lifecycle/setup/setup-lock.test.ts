import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '../../support/processes.ts';
import { afterTests, temporaryFolder } from '../../support/for-tests.ts';

const module = new URL('../../../scripts/setup/lock.mjs', import.meta.url).href;
/** A set-up that reports when it works, and works until its input ends. */
const program = `
  import { appendFileSync } from 'node:fs';
  import { withSetupLock } from ${JSON.stringify(module)};
  const [folder, journal, name, ownPid] = process.argv.slice(1);
  if (ownPid !== undefined) appendFileSync(folder + '/pid', String(process.pid));
  await withSetupLock(folder, async () => {
    appendFileSync(journal, name + ' begins\\n');
    for await (const _ of process.stdin);
    appendFileSync(journal, name + ' ends\\n');
  });
`;
const waiting = 'set-up: waiting for another set-up of this folder …\n';

const folder = await temporaryFolder();

describe('Set-up', () => {
  const journal = (place: string) => join(folder, `${place}.journal`);
  const lines = async (place: string) => await readFile(journal(place), 'utf8').catch(() => '');
  const setUp = (place: string, name: string, ...more: readonly string[]) => {
    const args = [join(folder, place), journal(place), name, ...more];
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, ...args]);
    afterTests(async () => child.kill('SIGKILL'));
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    const ended = once(child, 'close');
    return {
      begins: async () => await eventually(name, async () => (await lines(place)).includes(`${name} begins`)),
      waits: async () => await eventually(`${name} waits`, async () => told === waiting),
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
      },
      async end() {
        child.stdin.end();
        const [code] = await ended;
        return { code, told };
      },
    };
  };

  for (const [whose, pid] of [
    ['a process of another user', '1'],
    ['a dead process', '4194305'],
    ['no process', ''],
  ]) {
    test(`takes over what a killed one left that names ${whose}`, async () => {
      const place = `left-${pid}`;
      await mkdir(join(folder, place));
      await writeFile(join(folder, place, 'pid'), pid ?? '');
      const only = setUp(place, 'only');
      await only.begins();
      assert.deepEqual(await only.end(), { code: 0, told: '' });
    });
  }

  test('takes over what a killed one left that has the process id of its own', async () => {
    await mkdir(join(folder, 'own'));
    const only = setUp('own', 'only', 'own pid');
    await only.begins();
    assert.deepEqual(await only.end(), { code: 0, told: '' });
  });

  test('waits for one that is under way, says so once, and works when that one ends', async () => {
    const first = setUp('live', 'first');
    await first.begins();
    const second = setUp('live', 'second');
    await second.waits();
    assert.equal(await lines('live'), 'first begins\n');
    assert.deepEqual(await first.end(), { code: 0, told: '' });
    await second.begins();
    assert.deepEqual(await second.end(), { code: 0, told: waiting });
    assert.equal(await lines('live'), 'first begins\nfirst ends\nsecond begins\nsecond ends\n');
  });

  test('is let in by one that is killed', async () => {
    const first = setUp('killed', 'first');
    await first.begins();
    const second = setUp('killed', 'second');
    await second.waits();
    await first.kill();
    await second.begins();
    assert.deepEqual(await second.end(), { code: 0, told: waiting });
  });

  test('works one after the other, however many begin at once after one was killed', async () => {
    const killed = setUp('many', 'killed');
    await killed.begins();
    await killed.kill();
    const names = ['a', 'b', 'c', 'd'];
    const endings = await Promise.all(names.map(async (name) => await setUp('many', name).end()));
    assert.deepEqual(
      endings.map(({ code }) => code),
      [0, 0, 0, 0],
    );
    const [, ...turns] = (await lines('many')).trimEnd().split('\n');
    const order = turns.filter((_, index) => index % 2 === 0).map((line) => line[0] ?? '');
    assert.deepEqual(order.toSorted(), names);
    assert.deepEqual(
      turns,
      order.flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });
});
