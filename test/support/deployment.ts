import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNetwork } from './network.ts';
import { eventually } from './processes.ts';
import { projectRoot } from './project.ts';
import { launchService, runSteppe } from './service.ts';
import { startServices } from './services/services.ts';

const port = 8080;
const startSeconds = 60;

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;
export type Member = Awaited<ReturnType<typeof startMember>>;
export type Dependency = keyof Deployment['dependencies'];

/**
 * Starts api and worker processes, each in a network namespace and with a DATA_DIR of its own, that share a PostgreSQL, an S3
 * store and NATS in three more namespaces. Needs root.
 */
export async function startDeployment({
  apis,
  workers,
}: {
  readonly apis: number;
  readonly workers: number;
}) {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'steppe-deployment-'));
  opening.defer(async () => await rm(folder, { recursive: true, force: true }));
  const network = opening.use(await openNetwork());
  const places = {
    database: await network.join('database'),
    store: await network.join('store'),
    queue: await network.join('queue'),
  };
  const services = opening.use(await startServices(places));
  const { env } = services;
  const migrated = await runSteppe(['migrate'], { dataDir: folder, env });
  assert.equal(migrated.code, 0, migrated.output);
  const start = async (role: 'api' | 'worker', count: number) => {
    const members: Member[] = [];
    for (let number = 1; number <= count; number += 1) {
      const name = `${role}${number}`;
      const place = await network.join(name);
      members.push(opening.use(await startMember({ name, role, place, env, folder })));
    }
    return members;
  };
  const [apiMembers, workerMembers] = [await start('api', apis), await start('worker', workers)];
  const opened = opening.move();
  return {
    env,
    apis: apiMembers,
    workers: workerMembers,
    /** By the names that `/readyz` has for them; each can be stopped, frozen and cut off. */
    dependencies: {
      database: { server: services.postgres, place: places.database },
      object_store: { server: services.s3, place: places.store },
      message_queue: { server: services.nats, place: places.queue },
    },
    /** Runs a command of Steppe, such as `fsck`, on this machine. */
    run: async (...args: readonly string[]) => await runSteppe(args, { dataDir: folder, env }),
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

interface MemberOptions {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly place: { readonly address: string; readonly within: readonly [string, ...string[]] };
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

async function startMember({ name, role, place, env, folder }: MemberOptions) {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  const command = [...place.within, process.execPath, join(projectRoot, 'src/main.ts'), role] as const;
  const settings = {
    HTTP_HOST: place.address,
    HTTP_PORT: String(port),
    DRAIN_DELAY_SECONDS: '2',
    LOG_LEVEL: 'warn',
  };
  const baseUrl = `http://${place.address}:${port}`;
  const launch = () => launchService({ dataDir, env: { ...env, ...settings }, command });
  let launched = launch();
  const isReady = async () =>
    role === 'worker' ||
    (await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false,
    ));
  await eventually(`${name} is ready`, isReady, startSeconds);
  const end = async (signal: NodeJS.Signals) => {
    launched.child.kill(signal);
    return await launched.exited();
  };
  return {
    name,
    dataDir,
    baseUrl,
    output: () => launched.output(),
    isReady,
    /** Sends a signal, waits for the end, and gives the exit code or the signal's name. */
    end,
    /** Starts it again, and waits until it is ready. */
    async startAgain(): Promise<void> {
      launched = launch();
      await eventually(`${name} is ready again`, isReady, startSeconds);
    },
    [Symbol.asyncDispose]: async () => void (await end('SIGTERM')),
  };
}
