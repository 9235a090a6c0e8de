import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, test } from 'node:test';
import { descendantsOf, eventually, isRunning, listProcesses } from '../support/processes.ts';
import { allGone, openDataDir, type Service, startService, stopSeconds } from '../support/service.ts';
import { createCategory, readCategory } from './catalogue.ts';

interface Ending {
  readonly how: string;
  readonly underNpm?: boolean;
  end(service: Service): Promise<void> | void;
  /** Exit code or signal of the started process; npm has its own. */
  readonly exit: number | string | undefined;
}

const endings: readonly Ending[] = [
  { how: 'SIGTERM to the service alone', end: (service) => service.signal('SIGTERM'), exit: 0 },
  { how: 'SIGINT to the service alone', end: (service) => service.signal('SIGINT'), exit: 0 },
  { how: 'SIGTERM to its whole group', end: (service) => service.signalGroup('SIGTERM'), exit: 0 },
  {
    how: 'SIGTERM, and again while it ends',
    end(service) {
      for (const name of ['SIGTERM', 'SIGTERM', 'SIGINT'] as const) service.signal(name);
    },
    exit: 0,
  },
  { how: 'SIGKILL to the service alone', end: (service) => service.signal('SIGKILL'), exit: 'SIGKILL' },
  { how: 'SIGKILL to its whole group', end: (service) => service.signalGroup('SIGKILL'), exit: 'SIGKILL' },
  {
    how: 'SIGKILL to the service and PostgreSQL',
    async end(service) {
      process.kill(await service.postgresPid(), 'SIGKILL');
      service.signal('SIGKILL');
    },
    exit: 'SIGKILL',
  },
  { how: 'SIGTERM to npm alone', underNpm: true, end: (npm) => npm.signal('SIGTERM'), exit: undefined },
  {
    how: 'SIGTERM to npm’s group',
    underNpm: true,
    end: (npm) => npm.signalGroup('SIGTERM'),
    exit: undefined,
  },
  { how: 'SIGKILL to npm alone', underNpm: true, end: (npm) => npm.signal('SIGKILL'), exit: 'SIGKILL' },
];

describe('however the service ends, within ten seconds nothing of it is left, and the next start has all data', () => {
  for (const { how, underNpm = false, end, exit } of endings) {
    test(how, async () => {
      const dataDir = await openDataDir();
      try {
        await using service = await startService({
          dataDir,
          detached: true,
          ...(underNpm && { command: ['npm', 'start'], env: { HOME: tmpdir() } }),
        });
        const category = await createCategory(service.baseUrl);
        const pids = [service.pid, ...(await descendantsOf(service.pid)).map(({ pid }) => pid)];
        assert.ok(pids.includes(await service.postgresPid()) && pids.includes(await service.workerPid()));

        await end(service);
        const code = await service.exited();
        if (exit !== undefined) assert.equal(code, exit, service.output());
        await allGone(pids);
        await eventually('free port', async () => await portIsFree(service.baseUrl), stopSeconds);
        const left = (await listProcesses()).filter(({ commandLine }) => commandLine.includes(dataDir));
        assert.deepEqual(left, []);

        await using next = await startService({ dataDir });
        assert.deepEqual(await readCategory(next.baseUrl, category.id), category);
        assert.equal(await next.stop(), 0);
      } finally {
        await rm(dataDir, { recursive: true });
      }
    });
  }

  test('SIGKILL, and the next start comes at once', async () => {
    const dataDir = await openDataDir();
    let service = await startService({ dataDir });
    try {
      const category = await createCategory(service.baseUrl);
      for (let round = 0; round < 5; round += 1) {
        const postgres = await service.postgresPid();
        service.signal('SIGKILL');
        await service.exited();
        service = await startService({ dataDir });
        assert.equal(await isRunning(postgres), false);
        assert.deepEqual(await readCategory(service.baseUrl, category.id), category);
      }
    } finally {
      await service[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    }
  });
});

async function portIsFree(baseUrl: string): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false)).once('listening', () => resolve(true));
  server.listen(Number(new URL(baseUrl).port), '127.0.0.1');
  const isFree = await promise;
  server.close();
  return isFree;
}
