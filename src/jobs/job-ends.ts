import type { Listener } from '../database/listener.ts';

/** The channel on which the database announces the end of a job, with the subject of the job. */
const channel = 'job_ends';
const sweepMs = 1000;

/** A wait for the end of a job. */
interface Wait {
  /** Resolves when the state may have changed. */
  readonly news: Promise<void>;
  end(): void;
}

/** Creates waits for the ends of jobs. They hold no database connection: one LISTEN and one timer serve all of them. */
export function createJobEnds(listener: Listener) {
  const waits = new Map<string, Set<() => void>>();
  const wakeAll = (): void => {
    for (const wakes of waits.values()) for (const wake of wakes) wake();
  };
  const wake = (ref: string): void => {
    for (const each of waits.get(ref) ?? []) each();
  };
  // A notification may be lost, and a result may appear without a job.
  const sweeping = setInterval(wakeAll, sweepMs).unref();
  const subscription = listener.subscribe(channel, wake, wakeAll);
  return {
    /** Waits for the end of a job about `ref`, for at most `ms` milliseconds or until the next sweep. */
    wait(ref: string, ms: number): Wait {
      const { promise, resolve: end } = Promise.withResolvers<void>();
      const wakes = waits.get(ref) ?? new Set();
      waits.set(ref, wakes.add(end));
      const timer = setTimeout(end, ms);
      const news = promise.then(() => {
        clearTimeout(timer);
        wakes.delete(end);
        if (wakes.size === 0) waits.delete(ref);
      });
      return { news, end };
    },
    wakeAll,
    async close(): Promise<void> {
      clearInterval(sweeping);
      wakeAll();
      await subscription.close();
    },
  };
}
