import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../src/lib/concurrency/with-timeout.ts';
import { insertPendingDatasets } from '../test/support/geo/rasters.ts';
import { freePort } from '../test/support/ports.ts';
import { startService } from '../test/support/service.ts';
import type { Row } from './contest.ts';
import { settingsOn } from '../test/support/tools/commands.ts';
import { connectTo, databaseOf } from '../test/support/service-database.ts';
import { startNodePeer } from './http-peers/start.ts';
import { type HeldPoll, holdEvents, holdPoll, waitSeconds } from './long-poll-client.ts';
import { memoryOf } from './memory.ts';
import { makeFolder } from './service.ts';

const connectingAtOnce = 200;
/** Time after which a process has released the memory of opened and closed connections. */
const settleMs = 2_000;
const warmUps = 500;

export interface LongPollLength {
  /** Polls that are held at once; the goals apply to ten thousand. */
  readonly waiters: number;
  readonly rounds: number;
}

/** A server that holds polls, and a function that makes it answer all of them. */
interface Holder {
  readonly baseUrl: string;
  readonly pid: number;
  readonly datasetId: string;
  /** Holds one waiting client; by default a long poll. */
  readonly holdOne?: typeof holdPoll;
  wakeAll(): Promise<void>;
}

/** Memory and time of holding and answering polls. */
interface Figures {
  readonly overIdleMiB: number;
  readonly p99Ms: number;
  readonly lost: number;
}

/**
 * Compares holding polls of one dataset, and answering all of them at its change, by the service and by a minimal `node:http` server, in
 * turn, each in its own process: memory beyond that of an idle process, and the 99th percentile of the time to the answer.
 */
export async function* longPollRows({ waiters, rounds }: LongPollLength): AsyncGenerator<Row> {
  const own: Figures[] = [];
  const others: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await heldByService(waiters));
    others.push(await heldByPeer(waiters));
  }
  const what = {
    name: `${waiters.toLocaleString('en')} long polls, one change`,
    peer: 'a bare node:http server',
  };
  yield* rowsOf(what, { own, others, atMostMs: 2 });
}

/** Compares listeners to events with the same number of long polls in the service, in turn, at one change. */
export async function* listenerRows({ waiters, rounds }: LongPollLength): AsyncGenerator<Row> {
  const own: Figures[] = [];
  const others: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await heldByService(waiters, holdEvents));
    others.push(await heldByService(waiters));
  }
  const what = {
    name: `${waiters.toLocaleString('en')} listeners of events, one change`,
    peer: 'as many long polls',
  };
  yield* rowsOf(what, { own, others, atMostMs: 1.5 });
}

function* rowsOf(
  what: Pick<Row, 'name' | 'peer'>,
  { own, others, atMostMs }: { own: readonly Figures[]; others: readonly Figures[]; atMostMs: number },
): Generator<Row> {
  const pick = (name: keyof Figures) => ({
    own: own.map((figures) => figures[name]),
    others: others.map((figures) => figures[name]),
  });
  const facts = { lost: own.reduce((sum, { lost }) => sum + lost, 0) };
  yield { ...what, unit: 'MiB over idle', goal: { atMost: 1.1 }, ...pick('overIdleMiB'), facts };
  yield {
    ...what,
    unit: 'ms to the 99th of 100 answers',
    goal: { atMost: atMostMs },
    ...pick('p99Ms'),
    facts,
  };
}

/**
 * Kills an api that holds listeners or the same number of long polls, in turn, changes a dataset before it restarts, and measures the
 * time until all clients have reconnected and received the change: listeners by `Last-Event-ID`, polls by their request.
 */
export async function* returningRows({ waiters, rounds }: LongPollLength): AsyncGenerator<Row> {
  await using resources = new AsyncDisposableStack();
  const { service, startApi } = await openApis(resources);
  const database = await connectTo(service);
  resources.defer(async () => await database.end());
  let lost = 0;

  async function p99Of(holdAgain: (baseUrl: string, datasetId: string) => Promise<() => Promise<HeldPoll>>) {
    await using running = new AsyncDisposableStack();
    const [datasetId = ''] = await insertPendingDatasets(database, 1);
    const port = { HTTP_PORT: String(await freePort()) };
    const api = running.use(await startApi(port));
    const comeBack = await inTurns(
      Array.from({ length: waiters }),
      async () => await holdAgain(api.baseUrl, datasetId),
    );
    await sleep(settleMs);
    await api.kill9();
    await database.query(`update datasets set status = 'processing' where id = $1`, [datasetId]);
    running.use(await startApi(port));
    const backMs = performance.now();
    const held = await inTurns(comeBack, async (holdOneAgain) => await holdOneAgain());
    const { p99Ms, answered } = await answersOf(held, backMs);
    lost += waiters - answered;
    return p99Ms;
  }

  const [own, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    own.push(
      await p99Of(async (baseUrl, id) => {
        const held = await holdEvents(baseUrl, id);
        return async () => await holdEvents(baseUrl, id, held.place());
      }),
    );
    others.push(
      await p99Of(async (baseUrl, id) => {
        await holdPoll(baseUrl, id);
        return async () => await holdPoll(baseUrl, id);
      }),
    );
  }
  yield {
    name: `${waiters.toLocaleString('en')} listeners that come again after a kill, one change meanwhile`,
    peer: 'as many long polls',
    unit: 'ms to the 99th of 100 answers',
    goal: { atMost: 2 },
    own,
    others,
    facts: { lost },
  };
}

/** Starts a service, and returns a function that starts further apis on its database. */
async function openApis(resources: AsyncDisposableStack) {
  const service = resources.use(await startService({ env: { LOG_LEVEL: 'warn' } }));
  const target = await databaseOf(service);
  const startApi = async (settings: Readonly<Record<string, string>> = {}) => {
    const dataDir = join(await makeFolder(resources), 'data');
    const command = [process.execPath, 'src/main.ts', 'api'] as const;
    const env = { ...settingsOn(target, dataDir), LOG_LEVEL: 'warn', ...settings };
    return await startService({ dataDir, env, command });
  };
  return { service, startApi };
}

/**
 * Compares one api with three that answer the same number of polls of one dataset at its change, in turn. If the client and all apis
 * share two cores, no improvement can be expected.
 */
export async function* waitingApisRows({ waiters, rounds }: LongPollLength): AsyncGenerator<Row> {
  await using resources = new AsyncDisposableStack();
  const { service, startApi } = await openApis(resources);
  const baseUrls = [service.baseUrl];
  while (baseUrls.length < 3) baseUrls.push(resources.use(await startApi()).baseUrl);
  const database = await connectTo(service);
  resources.defer(async () => await database.end());
  let lost = 0;

  async function p99Of(apis: readonly string[]): Promise<number> {
    const [datasetId = ''] = await insertPendingDatasets(database, 1);
    const held: HeldPoll[] = [];
    for (const baseUrl of apis) {
      held.push(...(await hold({ baseUrl, datasetId }, Math.ceil(waiters / apis.length))));
    }
    await sleep(settleMs);
    const changedMs = performance.now();
    await database.query(`update datasets set status = 'processing' where id = $1`, [datasetId]);
    const { p99Ms, answered } = await answersOf(held, changedMs);
    lost += held.length - answered;
    return p99Ms;
  }

  const [own, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await p99Of(baseUrls));
    others.push(await p99Of(baseUrls.slice(0, 1)));
  }
  const name = `${waiters.toLocaleString('en')} long polls at three apis, one change`;
  yield {
    name,
    peer: 'one api',
    unit: 'ms to the 99th of 100 answers',
    goal: { atMost: 1.2 },
    own,
    others,
    facts: { lost },
  };
}

async function heldByService(waiters: number, holdOne?: typeof holdPoll): Promise<Figures> {
  await using service = await startService({ env: { LOG_LEVEL: 'warn' } });
  const database = await connectTo(service);
  try {
    const [datasetId = ''] = await insertPendingDatasets(database, 1);
    return await measure(waiters, {
      baseUrl: service.baseUrl,
      pid: service.pid,
      ...(holdOne === undefined ? {} : { holdOne }),
      datasetId,
      async wakeAll() {
        await database.query(`update datasets set status = 'processing' where id = $1`, [datasetId]);
      },
    });
  } finally {
    await database.end();
  }
}

async function heldByPeer(waiters: number): Promise<Figures> {
  await using peer = await startNodePeer('holds');
  return await measure(waiters, {
    baseUrl: peer.baseUrl,
    pid: peer.pid,
    datasetId: 'one',
    async wakeAll() {
      await fetch(peer.baseUrl, { method: 'POST' });
    },
  });
}

async function measure(waiters: number, holder: Holder): Promise<Figures> {
  for (const poll of await hold(holder, warmUps)) poll.leave();
  await sleep(settleMs);
  const { residentMiB: idleMiB } = await memoryOf(holder.pid);
  const held = await hold(holder, waiters);
  await sleep(settleMs);
  const { residentMiB } = await memoryOf(holder.pid);
  const changedMs = performance.now();
  await holder.wakeAll();
  const { p99Ms, answered } = await answersOf(held, changedMs);
  return { overIdleMiB: residentMiB - idleMiB, p99Ms, lost: waiters - answered };
}

async function answersOf(held: readonly HeldPoll[], changedMs: number) {
  const told = await withTimeout(2 * waitSeconds * 1000, Promise.all(held.map(({ answer }) => answer)));
  const latencies = told.flatMap((one) => (one === 'cut' ? [] : [one.atMs - changedMs]));
  const sorted = latencies.toSorted((one, other) => one - other);
  return {
    p99Ms: sorted[Math.floor(0.99 * (sorted.length - 1))] ?? Infinity,
    answered: told.filter((one) => one !== 'cut' && one.status === 'processing').length,
  };
}

async function hold(
  { baseUrl, datasetId, holdOne = holdPoll }: Pick<Holder, 'baseUrl' | 'datasetId' | 'holdOne'>,
  count: number,
): Promise<HeldPoll[]> {
  return await inTurns(Array.from({ length: count }), async () => await holdOne(baseUrl, datasetId));
}

/** Connects clients for items, a few at a time, because the queue of a listening socket is limited. */
async function inTurns<I, T>(items: readonly I[], connectOne: (item: I) => Promise<T>): Promise<T[]> {
  const held: T[] = [];
  while (held.length < items.length) {
    const some = items.slice(held.length, held.length + connectingAtOnce);
    held.push(...(await Promise.all(some.map(connectOne))));
  }
  return held;
}
