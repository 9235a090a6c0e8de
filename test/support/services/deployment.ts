import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNetwork } from './network.ts';
import { eventually } from '../processes.ts';
import { projectRoot } from '../project.ts';
import { launchService, runSteppe } from '../service.ts';
import { freezeProcess, thawProcess } from './server-process.ts';
import { startServices } from './services.ts';

const port = 8080;
/** Generous for a busy machine; a service that cannot start ends by itself. */
const startSeconds = 300;

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;
export type Member = Awaited<ReturnType<typeof startMember>>;
export type Dependency = keyof Deployment['dependencies'];

/**
 * Starts api and worker processes, each in its own network namespace and with its own DATA_DIR, that share a
 * PostgreSQL, an S3 store and NATS in three more namespaces. Needs root.
 */
export async function startDeployment({
  apis,
  workers,
}: {
  readonly apis: number;
  readonly workers: number;
}) {
  await using opening = new AsyncDisposableStack();
  const site = opening.use(await openSite());
  const start = async (role: 'api' | 'worker', count: number) => {
    const members: Member[] = [];
    for (let number = 1; number <= count; number += 1) {
      members.push(await site.start({ name: `${role}${number}`, role }));
    }
    return members;
  };
  const [apiMembers, workerMembers] = [await start('api', apis), await start('worker', workers)];
  const opened = opening.move();
  return {
    env: site.env,
    apis: apiMembers,
    workers: workerMembers,
    dependencies: site.dependencies,
    run: site.run,
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

/** Starts a PostgreSQL, an S3 store and NATS, each in its own network namespace, for members that are started one by one. Needs root. */
export async function openSite() {
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
  const opened = opening.move();
  return {
    folder,
    network,
    services,
    env,
    /** The services by their names in `/readyz`; each can be stopped, frozen and cut off. */
    dependencies: {
      database: { server: services.postgres, place: places.database },
      object_store: { server: services.s3, place: places.store },
      message_queue: { server: services.nats, place: places.queue },
    },
    /** Starts a member in its own network namespace, which ends with the site. */
    async start({ name, role, settings = {}, within = [] }: SiteMember): Promise<Member> {
      const { address, within: inNetwork } = await network.join(name);
      const place = { address, within: [...inNetwork, ...within] as const };
      return opened.use(await startMember({ name, role, place, env: { ...env, ...settings }, folder }));
    },
    /** Runs a command of Steppe, such as `fsck`, on this machine. */
    run: async (...args: readonly string[]) => await runSteppe(args, { dataDir: folder, env }),
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

interface SiteMember extends Pick<MemberOptions, 'name' | 'role'> {
  /** Variables beside those of the services. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Prefix of the command, such as `taskset`. */
  readonly within?: readonly string[];
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
  const launch = (changed: MemberOptions['env'] = {}) =>
    launchService({ dataDir, env: { ...settings, ...env, ...changed }, command });
  let launched = launch();
  const isReady = async () => {
    if (launched.child.exitCode !== null)
      throw new Error(`${name} ended before it was ready:\n${launched.output()}`);
    if (role === 'worker') return true;
    return await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await eventually(`${name} is ready`, isReady, startSeconds);
  const end = async (signal: NodeJS.Signals) => {
    launched.child.kill(signal);
    return await launched.exited();
  };
  return {
    name,
    dataDir,
    baseUrl,
    get pid(): number {
      return launched.child.pid ?? 0;
    },
    output: () => launched.output(),
    isReady,
    /** Stops the member and all its child processes, like a machine that hangs. */
    freeze: async () => await freezeProcess(launched.child.pid),
    thaw: async () => await thawProcess(launched.child.pid),
    /** Sends a signal and waits for the end; returns the exit code or the name of the signal. */
    end,
    /**
     * Starts the member again and waits until it is ready.
     * @param changed variables of this start alone
     */
    async startAgain(changed: MemberOptions['env'] = {}): Promise<void> {
      launched = launch(changed);
      await eventually(`${name} is ready again`, isReady, startSeconds);
    },
    [Symbol.asyncDispose]: async () => void (await end('SIGTERM')),
  };
}
