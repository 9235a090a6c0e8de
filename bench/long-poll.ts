import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { withTimeout } from '../src/common/with-timeout.ts';
import { insertPendingDatasets } from '../test/support/pending-datasets.ts';
import { type Service, startService } from '../test/support/service.ts';
import { type Answered, type HeldPoll, holdPoll } from './long-poll-client.ts';
import { memoryOf, round } from './memory.ts';

const waiters = 10_000;
const datasets = 1_000;
const churns = 3;
const connectingAtOnce = 200;
const waitSeconds = 60;
const settleMs = 3_000;
/** Limit of resident memory for the api with all of them waiting. */
const targetMiB = 250;
/** Within which 99 of 100 are to be told. */
const targetMs = 1_000;

/**
 * Holds ten thousand long polls on a thousand datasets, some of which go away and come back, then changes all of these,
 * first one by one, then all in one statement. Prints how soon the clients heard of it and what the api needed, as one
 * line of JSON a way.
 */
export async function benchLongPoll(): Promise<void> {
  await using service = await startService({ env: { LOG_LEVEL: 'warn' } });
  const database = await connectTo(service);
  try {
    leave(await hold(service, await insertPendingDatasets(database, 10), 500));
    await sleep(settleMs);
    const before = await memoryOf(service.pid);
    const churned = await insertPendingDatasets(database, datasets);
    const first = await hold(service, churned, waiters);
    await sleep(settleMs);
    const firstHolding = await memoryOf(service.pid);
    leave(first);
    for (let churn = 1; churn < churns; churn += 1) leave(await hold(service, churned, waiters));
    await sleep(settleMs);
    const afterChurn = await memoryOf(service.pid);
    for (const [way, change] of ways) {
      const ids = await insertPendingDatasets(database, datasets);
      const startedMs = performance.now();
      const held = await hold(service, ids, waiters);
      const holdSeconds = (performance.now() - startedMs) / 1000;
      await sleep(settleMs);
      const holding = await memoryOf(service.pid);
      const changedMs = await change(database, ids);
      const told = await withTimeout(2 * waitSeconds * 1000, Promise.all(held.map(({ answer }) => answer)));
      await sleep(settleMs);
      const after = await memoryOf(service.pid);
      const woken = told.flatMap((one) => (one !== 'cut' && one.status === 'processing' ? [one] : []));
      const figures = {
        bench: 'long-poll',
        way,
        waiters,
        datasets,
        holdSeconds: round(holdSeconds),
        ...latencies(woken, changedMs),
        lost: waiters - woken.length,
        residentBeforeMiB: before.residentMiB,
        residentFirstHoldingMiB: firstHolding.residentMiB,
        kibPerWaiter: round(((firstHolding.residentMiB - before.residentMiB) * 1024) / waiters),
        residentAfterChurnMiB: afterChurn.residentMiB,
        residentHoldingMiB: holding.residentMiB,
        residentAfterMiB: after.residentMiB,
        peakMiB: after.peakMiB,
        targetMiB,
        targetMs,
      };
      console.log(JSON.stringify(figures));
      const isBad = figures.lost > 0 || figures.p99Ms >= targetMs || holding.residentMiB >= targetMiB;
      if (isBad) process.exitCode = 1;
    }
  } finally {
    await database.end();
  }
}

/** How the status of all datasets is changed; gives when the statement that changed each was sent. */
type Change = (database: Client, ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;

const ways: readonly (readonly [name: string, change: Change])[] = [
  [
    'one by one',
    async (database, ids) => {
      const sentMs = new Map<string, number>();
      for (const id of ids) {
        sentMs.set(id, performance.now());
        await database.query(`update datasets set status = 'processing' where id = $1`, [id]);
      }
      return sentMs;
    },
  ],
  [
    'all at once',
    async (database, ids) => {
      const nowMs = performance.now();
      await database.query(`update datasets set status = 'processing' where id = any($1)`, [ids]);
      return new Map(ids.map((id) => [id, nowMs]));
    },
  ],
];

function latencies(woken: readonly Answered[], changedMs: ReadonlyMap<string, number>) {
  const sorted = woken.map(({ id, atMs }) => atMs - (changedMs.get(id) ?? 0)).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Infinity);
  return { p50Ms: at(0.5), p99Ms: at(0.99), slowestMs: at(1) };
}

/** Connects a few at a time, as a listening socket's queue is not endless. */
async function hold(service: Service, ids: readonly string[], count: number): Promise<HeldPoll[]> {
  const held: HeldPoll[] = [];
  while (held.length < count) {
    const some = Array.from({ length: Math.min(connectingAtOnce, count - held.length) }, async (_, index) => {
      return await holdPoll(service.baseUrl, ids[(held.length + index) % ids.length] ?? '', waitSeconds);
    });
    held.push(...(await Promise.all(some)));
  }
  return held;
}

function leave(held: readonly HeldPoll[]): void {
  for (const poll of held) poll.leave();
}

async function connectTo({ dataDir }: Service): Promise<Client> {
  const note: { database: { target: ClientConfig } } = JSON.parse(
    await readFile(join(dataDir, 'service.json'), 'utf8'),
  );
  const client = new Client(note.database.target);
  await client.connect();
  return client;
}
