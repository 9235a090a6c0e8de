import { Worker } from 'node:worker_threads';
import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { Problem } from '../../lib/errors.ts';
import { MiB } from '../../lib/units.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';
import { drawingProblems } from '../../messages/drawing/english.ts';
import type { ObjectReader } from '../../object-store/object-store.ts';
import { createObjectAnswers } from './object-answers.ts';
import type { CallFailure, FromThread, ToThread } from '../thread/messages.ts';
import type { Tasks } from '../thread/handlers.ts';

/** Concurrent calls per thread: while one waits for bytes, another one computes. */
export const maxCallsPerThread = 4;

const limits = {
  /** Length of the queue; further calls are refused. */
  maxWaiting: 64,
  maxPerThread: maxCallsPerThread,
  /** Default limit of the processor time of a thread since it took a call. */
  deadlineMs: 5000,
  /** Longest startup time of a thread, in addition to the time of its first calls. */
  startMs: 30_000,
  heapMiB: 512,
};

/** A thread that waits, for bytes or for a busy processor, may take this multiple of a call's deadline. */
const waitingFactor = 6;
/** A thread that does not report its processor time within this time counts as waiting. */
const answerWithinMs = 1000;
/** Minimum interval between two checks of a thread's processor time. */
const leastPauseMs = 100;

export interface DrawingPoolOptions extends Partial<typeof limits> {
  readonly objectStore: ObjectReader;
  readonly threads: number;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly program?: URL;
}

interface CallOptions {
  /** Calls of equal affinity go to the same thread, which has cached the data of earlier ones. */
  readonly affinity: string;
  /** Cancels a queued call. */
  readonly signal?: AbortSignal | undefined;
  /** False for work that its client would have to send again; it queues whatever the length of the queue. */
  readonly mayBeRefused?: boolean;
  /** Replaces the default deadline; other calls of the thread may wait as long. */
  readonly deadlineMs?: number;
}

export type DrawingPool = ReturnType<typeof createDrawingPool>;

interface Call {
  readonly id: number;
  /** The task and its request. */
  readonly call: unknown;
  readonly preferred: number;
  readonly deadlineMs: number;
  resolve(result: unknown): void;
  fail(error: unknown): void;
}

interface HeldCall {
  readonly call: Call;
  timer: NodeJS.Timeout;
  /** Earliest time at which it may be overdue, by the clock of `performance`. */
  endMs: number;
  /** Final deadline, however little its thread has computed. */
  lastMs: number;
  /** Processor time of the thread when it took the call, in milliseconds. */
  readonly usedBefore: Promise<number | undefined>;
}

interface Thread {
  readonly worker: Worker;
  /** Current calls with their deadlines. */
  readonly calls: Map<number, HeldCall>;
  isReady: boolean;
}

/**
 * Creates the pool of drawing threads of a process, which start with the first call. A thread that dies, or computes for too long, is
 * replaced; its calls fail. On a busy machine a call may take longer: aborted there, it would only begin again.
 */
export function createDrawingPool({
  objectStore,
  threads: count,
  log,
  program,
  ...given
}: DrawingPoolOptions) {
  const { maxWaiting, maxPerThread, deadlineMs, startMs, heapMiB } = { ...limits, ...given };
  const threads: (Thread | undefined)[] = Array.from({ length: count }, () => undefined);
  const waiting = new Set<Call>();
  let last = 0;
  let isClosed = false;

  function startThread(index: number): Thread {
    const worker = new Worker(program ?? new URL('../thread/main.ts', import.meta.url), {
      name: `drawing ${index}`,
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 32 },
      workerData: { maxBlockBytes: Math.floor(maxBlockBytes / count) },
      env: {},
    });
    const thread: Thread = { worker, calls: new Map(), isReady: false };
    threads[index] = thread;
    const post = (message: ToThread, transfer: readonly ArrayBuffer[] = []) =>
      worker.postMessage(message, transfer);
    const answers = createObjectAnswers(objectStore, post);
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'read' || message.kind === 'ask-size') {
        void answers.answer(message);
        return;
      }
      if (message.kind === 'ready') return begin(index, thread);
      const held = thread.calls.get(message.id);
      if (held === undefined) return;
      clearTimeout(held.timer);
      thread.calls.delete(message.id);
      if (message.kind === 'done') held.call.resolve(message.result);
      else held.call.fail(errorOf(message.failure, answers.errorOf));
      dispatch();
    });
    worker.on('error', (err) => log.error({ err, thread: index }, 'a thread that draws maps has died'));
    worker.on('exit', () => replace(index, thread, drawingProblems.threadDied()));
    worker.unref();
    return thread;
  }

  /** Removes a thread and fails its calls. */
  function replace(index: number, thread: Thread, error: Error): void {
    if (threads[index] === thread) threads[index] = undefined;
    for (const { call, timer } of thread.calls.values()) {
      clearTimeout(timer);
      call.fail(error);
    }
    thread.calls.clear();
    if (!isClosed) dispatch();
  }

  /** Restarts the deadlines of calls that have waited for the start of their thread. */
  function begin(index: number, thread: Thread): void {
    thread.isReady = true;
    for (const held of thread.calls.values()) {
      clearTimeout(held.timer);
      Object.assign(held, timeOf(held.call, index, thread));
    }
  }

  function timeOf(call: Call, index: number, thread: Thread): Omit<HeldCall, 'call'> {
    const ms = thread.isReady ? call.deadlineMs : startMs;
    const now = performance.now();
    return {
      timer: setTimeout(() => void checkDeadline(index, thread, call), ms).unref(),
      endMs: now + ms,
      lastMs: now + (thread.isReady ? waitingFactor * ms : ms),
      usedBefore: processorMsOf(thread),
    };
  }

  /** Checks a call for its deadline, and again later unless it is overdue. */
  async function checkDeadline(index: number, thread: Thread, call: Call): Promise<void> {
    const held = thread.calls.get(call.id);
    if (held === undefined) return;
    const leftMs = await timeLeft(thread, held);
    if (thread.calls.get(call.id) !== held) return; // it has ended meanwhile
    if (leftMs > 0) {
      held.timer = setTimeout(
        () => void checkDeadline(index, thread, call),
        Math.max(leastPauseMs, leftMs),
      ).unref();
      held.endMs = performance.now() + leftMs;
      return;
    }
    log.warn({ thread: index }, 'a thread that draws maps has held a call for too long, and is replaced');
    replace(index, thread, drawingProblems.overdue());
    void thread.worker.terminate();
  }

  /** Returns the minimum time left for a call, in milliseconds; none if it is overdue. */
  async function timeLeft(thread: Thread, { call, lastMs, usedBefore }: HeldCall): Promise<number> {
    if (!thread.isReady) return 0;
    const now = performance.now();
    const longer = [...thread.calls.values()].filter((other) => other.call.deadlineMs > call.deadlineMs);
    const beside = Math.max(0, ...longer.map(({ endMs }) => endMs - now));
    if (beside > 0) return beside;
    const [before, used] = [await usedBefore, await processorMsOf(thread)];
    const computed = before === undefined || used === undefined ? 0 : used - before;
    return Math.min(call.deadlineMs - computed, lastMs - performance.now());
  }

  const freeIn = (index: number) => maxPerThread - (threads[index]?.calls.size ?? 0);

  function threadFor(call: Call): number | undefined {
    if (freeIn(call.preferred) > 0) return call.preferred;
    const idle = threads.findIndex((_, index) => freeIn(index) === maxPerThread);
    return idle === -1 ? undefined : idle;
  }

  function dispatch(): void {
    for (const call of waiting) {
      const index = threadFor(call);
      if (index === undefined) continue;
      waiting.delete(call);
      const thread = threads[index] ?? startThread(index);
      thread.calls.set(call.id, { call, ...timeOf(call, index, thread) });
      thread.worker.postMessage({ kind: 'call', id: call.id, call: call.call }, []);
    }
  }

  return {
    /**
     * Runs a task in a thread.
     * @throws {Problem} the error of the task; `busy` if the queue is full, or the thread took too long.
     * @throws {StoreUnavailable}
     * @throws {ObjectMissing}
     * @throws the reason of the signal
     */
    async run<Task extends keyof Tasks>(
      task: Task,
      request: Tasks[Task]['request'],
      { affinity, signal, mayBeRefused = true, ...own }: CallOptions,
    ): Promise<Tasks[Task]['result']> {
      signal?.throwIfAborted();
      if (isClosed || (mayBeRefused && waiting.size >= maxWaiting)) throw drawingProblems.busy();
      last += 1;
      const preferred = Number.parseInt(hash('md5', affinity, 'hex').slice(0, 8), 16) % count;
      const { promise, resolve, reject } = Promise.withResolvers<Tasks[Task]['result']>();
      const call: Call = {
        id: last,
        call: { task, request },
        preferred,
        deadlineMs,
        ...own,
        resolve,
        fail: reject,
      };
      const takeBack = () => {
        if (waiting.delete(call)) reject(signal?.reason);
      };
      signal?.addEventListener('abort', takeBack, { once: true });
      waiting.add(call);
      dispatch();
      return await promise.finally(() => signal?.removeEventListener('abort', takeBack));
    },
    async close(): Promise<void> {
      isClosed = true;
      for (const call of waiting) call.fail(drawingProblems.busy());
      waiting.clear();
      await Promise.all(threads.map(async (thread) => await thread?.worker.terminate()));
    },
  };
}

/** Returns the processor time that a thread has used, in milliseconds; undefined if the thread does not report it in time. */
async function processorMsOf({ worker }: Pick<Thread, 'worker'>): Promise<number | undefined> {
  try {
    const { user, system } = await withTimeout(answerWithinMs, worker.cpuUsage());
    return (user + system) / 1000;
  } catch {
    return undefined;
  }
}

/** Limit of the block caches of all threads together. */
export const maxBlockBytes = 128 * MiB;

function errorOf(failure: CallFailure, readError: (read: number) => unknown): unknown {
  switch (failure.kind) {
    case 'problem':
      return new Problem(failure.code, failure.message, { sentence: failure.sentence });
    case 'unread':
      return readError(failure.read);
    default:
      return new Error(`a map cannot be drawn: ${failure.message}`);
  }
}
