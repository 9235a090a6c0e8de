import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Database } from '../database/tables/tables.ts';
import { withTimeout } from '../lib/concurrency/with-timeout.ts';
import { leasesLost } from '../metrics/instruments.ts';
import type { MessageQueue, Subscription } from '../message-queue/message-queue.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { LeaseLost, type JobHandler, type JobHandlers } from './handler.ts';
import { freeSlots, lanesFor, type Lane } from './lanes.ts';
import { claimJob, pruneJobs, renewLeases, requeueDeadJobs, type ClaimedJob, type Hold } from './ledger.ts';
import { HandedBack, handBack, runAttempt } from './run-attempt.ts';
import { sweepScratch } from './scratch.ts';

export interface WorkerTiming {
  /** Lease in seconds: a worker that does not renew it within this time is presumed dead. */
  readonly leaseSeconds: number;
  /** Interval between two polls of the ledger, which renew leases, queue dead jobs and claim waiting ones. */
  readonly pollEveryMs: number;
  /** Time after which an attempt releases its slot to another job, if the lane has room for one more. */
  readonly patienceMs: number;
  /** Deadline for one database step; after it, the step is tried again on another connection. */
  readonly answerWithinMs: number;
  /** Interval between two clean-ups: scratch folders of dead attempts, and old jobs. */
  readonly tidyEveryMs: number;
  /** Time that aborted handlers have when the worker stops. */
  readonly stopWithinMs: number;
}

interface WorkerDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  /** Handlers by kind; jobs of other kinds are left to other workers. */
  readonly handlers: JobHandlers;
  /** The number of jobs about datasets that run at once; a landscape run continues beside them. */
  readonly concurrency: number;
  /** Contains one folder per running attempt; other workers may share it. */
  readonly scratchRoot: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly timing?: Partial<WorkerTiming>;
}

export type Worker = ReturnType<typeof startWorker>;

interface Running {
  readonly job: ClaimedJob;
  readonly lane: Lane;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

const usualTiming: WorkerTiming = {
  leaseSeconds: 30,
  pollEveryMs: 2000,
  patienceMs: 60_000,
  answerWithinMs: 5_000,
  tidyEveryMs: 600_000,
  stopWithinMs: 3000,
};
const keepJobsDays = 30;
/** Together with `stopWithinMs`, this must be less than the grace period of a supervisor. */
const lastStepsWithinMs = 1_000;

/** Processes jobs until it is stopped. It waits while the database or the message queue is unavailable. */
export function startWorker(dependencies: WorkerDependencies) {
  const { db, messageQueue, concurrency, scratchRoot, log } = dependencies;
  const timing = { ...usualTiming, ...dependencies.timing };
  const { leaseSeconds, pollEveryMs, patienceMs, answerWithinMs, tidyEveryMs, stopWithinMs } = timing;
  const handlers = new Map<string, JobHandler>(Object.entries(dependencies.handlers));
  const lanes = lanesFor(dependencies.handlers, concurrency);
  const worker = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const wakeUp = createWakeUp();
  const running = new Set<Running>();
  /** Attempts that have exceeded the worker's patience. */
  const slow = new Set<Running>();
  const stopping = new AbortController();
  const subscriptions = new Map<Lane, Subscription>();
  /** Resolves when the worker has next polled for jobs. */
  let nextPoll = Promise.withResolvers<void>();
  let tidyAt = 0;

  async function renew(): Promise<void> {
    if (running.size === 0) return;
    const asked = [...running];
    const jobs = asked.map(({ job }) => job);
    const lost = await renewLeases(db, jobs, leaseSeconds);
    for (const { job, abort } of asked) {
      if (!lost.has(job)) continue;
      leasesLost.inc();
      abort.abort(new LeaseLost(job.jobId, job.attempt));
    }
  }

  async function listen(): Promise<void> {
    for (const lane of lanes) {
      if (subscriptions.has(lane)) continue;
      const subscribed = await messageQueue.subscribe(lane.name, {
        room: () => (stopping.signal.aborted ? 0 : freeSlots(lane, attemptsIn(lane)).all),
        async onWakeUp() {
          const polled = nextPoll.promise;
          wakeUp.notify();
          await polled;
        },
      });
      if (!subscriptions.has(lane)) subscriptions.set(lane, subscribed);
      else await subscribed.close(); // an earlier call that exceeded its deadline succeeded after all
    }
  }

  async function cleanUp(): Promise<void> {
    if (performance.now() < tidyAt) return;
    const { removed: folders, held } = await sweepScratch(db, scratchRoot);
    if (folders > 0) log.info({ folders }, 'scratch folders of dead attempts removed');
    const jobs = await pruneJobs(db, keepJobsDays);
    if (jobs > 0) log.info({ jobs }, 'jobs of long ago forgotten');
    // The attempt of a killed worker holds its job until its lease has expired, and another worker may detect this.
    const areOwn = held.every((hold) => [...running].some(({ job }) => isSameAttempt(job, hold)));
    tidyAt = performance.now() + (areOwn ? tidyEveryMs : Math.min(tidyEveryMs, leaseSeconds * 1000));
  }

  async function requeue(): Promise<void> {
    const found = await requeueDeadJobs(db);
    for (const dead of found) log.warn(dead, 'a worker died, its job is queued again');
    if (found.length > 0) tidyAt = 0; // the attempt may have left a folder here
  }

  async function claim(): Promise<void> {
    for (const lane of lanes) await claimIn(lane);
    nextPoll.resolve();
    nextPoll = Promise.withResolvers();
  }

  async function claimIn(lane: Lane): Promise<void> {
    while (!stopping.signal.aborted) {
      const free = freeSlots(lane, attemptsIn(lane));
      if (free.all === 0) return;
      const background = free.background > 0 ? lane.background : [];
      const job = await claimJob(db, worker, { ...lane, background }, leaseSeconds);
      const handler = handlers.get(job?.kind ?? '');
      if (job === undefined || handler === undefined) return;
      if (freeSlots(lane, attemptsIn(lane)).all === 0) {
        await handBack(db, job); // an earlier claim that exceeded its deadline succeeded after all
        return;
      }
      start(job, lane, handler);
    }
  }

  function attemptsIn(lane: Lane) {
    const all = [...running].filter((each) => each.lane === lane);
    const background = all.filter(isBackground).length;
    const slowOnes = all.filter((each) => slow.has(each)).length;
    return { quick: all.length - background - slowOnes, background, slow: slowOnes };
  }

  function start(job: ClaimedJob, lane: Lane, handler: JobHandler): void {
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, stopping.signal]);
    const attempt: Running = {
      job,
      lane,
      abort,
      ended: runAttempt({ ...dependencies, leaseSeconds }, job, handler, signal).then(async (ending) => {
        clearTimeout(patience);
        running.delete(attempt);
        slow.delete(attempt);
        wakeUp.notify(); // a slot is free, and the job may be queued again
        if (ending === 'handed back') await messageQueue.notify(job.jobId, lane.name);
      }),
    };
    running.add(attempt);
    const losePatience = (): void => {
      slow.add(attempt);
      wakeUp.notify(); // a waiting job has a slot now, and no notification may follow
    };
    // A background attempt takes no slot from other jobs, so it has none to release.
    const patience = isBackground(attempt) ? undefined : setTimeout(losePatience, patienceMs).unref();
  }

  /** Runs steps independently of each other's success: without a message queue, for example, polling still finds jobs. */
  async function take(steps: readonly (() => Promise<void>)[]): Promise<void> {
    for (const step of steps) {
      await withTimeout(answerWithinMs, step()).catch((err: unknown) => {
        log.warn({ err, step: step.name }, 'the worker will try this step again');
      });
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const polledAt = performance.now();
      await take([renew, listen, requeue, cleanUp, claim]);
      for (
        let rest = pollEveryMs;
        rest > 0 && !stopping.signal.aborted;
        rest = polledAt + pollEveryMs - performance.now()
      ) {
        if (await wakeUp.wait(rest)) await take([claim]);
      }
    }
  }

  const working = work();

  return {
    /** Stops claiming jobs, aborts running attempts and hands them back. Resolves within seconds, even if handlers do not return. */
    async stop(): Promise<void> {
      stopping.abort(new HandedBack());
      wakeUp.notify();
      const allEnded = async (attempts: readonly Running[]) =>
        await Promise.all(attempts.map(({ ended }) => ended));
      await withTimeout(stopWithinMs, allEnded([...running])).catch(() => undefined);
      const stuck = new Set(running);
      const lastSteps = async (): Promise<void> => {
        // Another worker may hold the job by now; a job that the database cannot take back keeps its lease until it expires.
        await Promise.allSettled([...stuck].map(async ({ job }) => await handBack(db, job)));
        for (const { job, lane } of stuck) await messageQueue.notify(job.jobId, lane.name);
        await Promise.all(
          [...subscriptions.values()].map(async (subscription) => await subscription.close()),
        );
        await working;
        await allEnded([...running].filter((attempt) => !stuck.has(attempt))); // claimed during the stop
      };
      await withTimeout(lastStepsWithinMs, lastSteps()).catch((err: unknown) => {
        log.warn({ err }, 'the worker stops without the answers it waits for');
      });
    },
  };
}

function isSameAttempt(one: Hold, other: Hold): boolean {
  return one.jobId === other.jobId && one.attempt === other.attempt;
}

function isBackground({ job, lane }: Running): boolean {
  return lane.background.includes(job.kind);
}

/** Creates a wake-up signal within a process. Several notifications without a waiter count as one, and end the next wait at once. */
function createWakeUp() {
  let isNotified = false;
  let answer: (() => void) | undefined;
  return {
    notify(): void {
      isNotified = true;
      answer?.();
    },
    /** Resolves with true at the next notification, and with false after `ms` milliseconds. */
    async wait(ms: number): Promise<boolean> {
      if (!isNotified) {
        const waiting = Promise.withResolvers<void>();
        const timer = setTimeout(waiting.resolve, ms);
        answer = waiting.resolve;
        await waiting.promise;
        answer = undefined;
        clearTimeout(timer);
      }
      const heard = isNotified;
      isNotified = false;
      return heard;
    },
  };
}
