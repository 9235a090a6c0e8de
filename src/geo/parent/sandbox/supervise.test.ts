import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, it, test } from 'node:test';
import { type Ending, superviseChild, exceedsFileLimit, ownResult } from './supervise.ts';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { EngineDied } from '../../engine.ts';

const never = new AbortController().signal;

type Options = Parameters<typeof superviseChild>[0];

async function supervise(
  script: string,
  { deadlineSeconds = 60, signal = never, onProgress, niceness, rest }: Partial<Options> = {},
): Promise<Ending> {
  const command = ['/bin/sh', '-c', script] as const;
  return await superviseChild({
    command,
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: tmpdir(),
    request: { task: 'x' },
    rest,
    deadlineSeconds,
    signal,
    onProgress,
    niceness,
  });
}

describe('a child', () => {
  it('hears the request, and answers', async () => {
    const ending = await supervise('read line; echo "$line" >&3; sleep 600');
    assert.deepEqual(ending, { how: 'answered', answer: { task: 'x' } });
  });

  it('starts before the rest of its request is known, which its deadline does not count', async () => {
    const folder = await temporaryFolder();
    const started = join(folder, 'started');
    const rest = eventually('a start', async () => existsSync(started)).then(async () => {
      await sleep(3100);
      return { more: 1 };
    });
    const ending = await supervise(`touch ${started}; read line; echo "$line" >&3; sleep 600`, {
      rest,
      deadlineSeconds: 3,
    });
    assert.deepEqual(ending, { how: 'answered', answer: { task: 'x', more: 1 } });
  });

  it('ends when the rest of its request does not come', async () => {
    const rest = sleep(50).then(() => {
      throw new Error('no work');
    });
    assert.deepEqual(await supervise('sleep 600', { rest }), { how: 'aborted' });
  });

  it('tells its progress before it answers, in pieces as they come', async () => {
    const told: number[] = [];
    const ending = await supervise(
      'printf "0.12" >&3; sleep 0.1; printf "5\\n0.5\\n1\\n{\\"a\\":1}\\n0.9\\n" >&3; sleep 600',
      { onProgress: (share) => told.push(share) },
    );
    assert.deepEqual(ending, { how: 'answered', answer: { a: 1 } });
    assert.deepEqual(told, [0.125, 0.5, 1]);
  });

  it('waits for other sessions, as nice as it should be, where the kernel shares out among sessions', async () => {
    const hasSessions = existsSync('/proc/self/autogroup');
    const script = 'read request; read line < /proc/self/autogroup; echo "\\"${line#*nice }\\"" >&3';
    const ending = await supervise(hasSessions ? script : `echo '"7"' >&3`, { niceness: 7 });
    assert.deepEqual(ending, { how: 'answered', answer: '7' });
  });

  it('is killed at its deadline although it tells progress', async () => {
    let words = 0;
    const ending = await supervise('while :; do echo 0.5 >&3; sleep 0.02; done', {
      deadlineSeconds: 1,
      onProgress: () => (words += 1),
    });
    assert.deepEqual(ending, { how: 'overdue', by: 'deadline' });
    assert.ok(words > 5, `${words} words`);
  });

  it('that tells progress without an end is not listened to', async () => {
    const ending = await supervise('yes 0 >&3');
    assert.deepEqual(ending, { how: 'died', reason: 'it tells its progress without an end' });
  });

  it('that ends without an answer has died of what it said last', async () => {
    const ending = await supervise('echo no memory >&2; exit 3');
    assert.deepEqual(ending, { how: 'died', reason: 'exit 3: no memory' });
  });

  it('that cannot be started has died', async () => {
    const command = ['/nowhere/program'] as const;
    const task = { env: {}, cwd: tmpdir(), request: {}, deadlineSeconds: 60, signal: never };
    const ending = await superviseChild({ command, ...task });
    assert.equal(ending.how, 'died');
  });
});

/** Leaves the process group and keeps all pipes open for the duration of a test. */
const runaway = 'setsid sleep 45 &';

describe(
  'a child whose own child has left its process group is waited for no longer',
  { timeout: 40_000 },
  () => {
    it('when it has answered', async () => {
      const ending = await supervise(`${runaway} echo '"done"' >&3; sleep 600`);
      assert.deepEqual(ending, { how: 'answered', answer: 'done' });
    });

    it('when it has ended', async () => {
      const ending = await supervise(`${runaway} echo why >&2; exit 1`);
      assert.deepEqual(ending, { how: 'died', reason: 'exit 1: why' });
    });

    it('when its time is over', async () => {
      assert.deepEqual(await supervise(`${runaway} sleep 600`, { deadlineSeconds: 1 }), {
        how: 'overdue',
        by: 'deadline',
      });
    });

    it('when it is aborted', async () => {
      const stopping = new AbortController();
      setTimeout(() => stopping.abort(), 200);
      assert.deepEqual(await supervise(`${runaway} sleep 600`, { signal: stopping.signal }), {
        how: 'aborted',
      });
    });
  },
);

test('a result is a regular file inside the folder of its child', async () => {
  const parent = await realpath(await temporaryFolder());
  const folder = join(parent, 'scratch');
  await mkdir(join(folder, 'inner'), { recursive: true });
  const own = join(folder, 'inner', '..result');
  for (const path of [own, join(parent, 'secret'), join(parent, 'scratch-of-another')])
    await writeFile(path, 'x');
  await symlink('../secret', join(folder, 'link'));

  assert.equal(await ownResult(folder, own), own);
  assert.equal(await ownResult(folder, 'inner/..result'), own);
  const outside = ['../secret', join(parent, 'secret'), '../scratch-of-another', 'link', '', '..', '../..'];
  for (const path of [...outside, 'inner', 'missing', '/etc/passwd'])
    await assert.rejects(ownResult(folder, path), EngineDied, path);

  assert.equal(await exceedsFileLimit([folder], 1), true);
  assert.equal(await exceedsFileLimit([folder], 2), false);
});
