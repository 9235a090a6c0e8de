import type { QueueLane } from '../message-queue/message-queue.ts';
import type { JobKind } from './enqueue.ts';
import type { JobHandlers } from './handler.ts';

/** Kinds of jobs that share slots; jobs of different lanes never wait for each other. */
export interface Lane {
  readonly name: QueueLane;
  readonly kinds: readonly string[];
  /** Jobs that one worker runs at once, beside those that have lost its patience. */
  readonly slots: number;
  /** The same, including those. */
  readonly mostAtOnce: number;
  /** True when its jobs run one after the other, oldest first, over all workers together. */
  readonly serial: boolean;
}

const datasetKinds: readonly JobKind[] = ['process-dataset', 'extract-observations', 'make-view'];
const runKinds: readonly JobKind[] = ['run-landscape'];

/**
 * The lanes of a worker with these handlers: `concurrency` slots for datasets, which slow ones give up to others, and one
 * beside them for runs.
 */
export function lanesFor(handlers: JobHandlers, concurrency: number): readonly Lane[] {
  const handled = (kinds: readonly JobKind[]) => kinds.filter((kind) => Object.hasOwn(handlers, kind));
  const lanes: readonly Lane[] = [
    {
      name: 'datasets',
      kinds: handled(datasetKinds),
      slots: concurrency,
      mostAtOnce: 2 * concurrency,
      serial: false,
    },
    { name: 'runs', kinds: handled(runKinds), slots: 1, mostAtOnce: 1, serial: true },
  ];
  return lanes.filter(({ kinds }) => kinds.length > 0);
}

/** Returns the lane of a kind of job. */
export function laneOf(kind: string): QueueLane {
  return runKinds.some((each) => each === kind) ? 'runs' : 'datasets';
}

/** Returns how many more jobs of a lane a worker takes, given how many of its attempts there are quick so far, and slow. */
export function freeSlots({ slots, mostAtOnce }: Lane, { quick, slow }: { quick: number; slow: number }) {
  return Math.max(0, Math.min(slots - quick, mostAtOnce - quick - slow));
}
