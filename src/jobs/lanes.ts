import type { JobKind } from '../database/enqueue.ts';
import type { JobHandlers } from '../processing/attempt.ts';

/** Kinds of jobs that share slots; jobs of different lanes never wait for each other. */
export interface Lane {
  readonly kinds: readonly string[];
  /** How many of its jobs one worker runs at once. */
  readonly slots: number;
  /** Whether its jobs run one after the other, oldest first, over all workers together. */
  readonly serial: boolean;
}

type LaneName = 'datasets' | 'runs';

const laneByKind: Readonly<Record<JobKind, LaneName>> = {
  'process-dataset': 'datasets',
  'extract-observations': 'datasets',
  'run-landscape': 'runs',
};

/** The lanes of a worker with these handlers: `concurrency` slots for datasets, and one beside them for runs. */
export function lanesFor(handlers: JobHandlers, concurrency: number): readonly Lane[] {
  const kindsIn = (lane: LaneName): string[] =>
    Object.entries(laneByKind).flatMap(([kind, its]) =>
      its === lane && Object.hasOwn(handlers, kind) ? [kind] : [],
    );
  const lanes = [
    { kinds: kindsIn('datasets'), slots: concurrency, serial: false },
    { kinds: kindsIn('runs'), slots: 1, serial: true },
  ];
  return lanes.filter(({ kinds }) => kinds.length > 0);
}
