import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamManager,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { QueueLane } from '../message-queue.ts';

export const streamName = 'STEPPE_JOBS';
const lanes: readonly QueueLane[] = ['datasets', 'runs'];
const maxAgeMs = 3_600_000;
const maxMessages = 100_000;
/** A wake-up that is not acknowledged by then goes to another worker. */
const ackWithinMs = 5000;

export function subjectOf(lane: QueueLane): string {
  return `steppe.jobs.${lane}`;
}

/** Makes the stream and the consumer of each lane where they are missing. Any number of processes may do so at once. */
export async function ensureStream(manager: JetStreamManager, replicas: number): Promise<void> {
  const found = await manager.streams.info(streamName).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (found === undefined) {
    await manager.streams.add({
      name: streamName,
      subjects: lanes.map(subjectOf),
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(maxAgeMs),
      max_msgs: maxMessages,
      num_replicas: replicas,
    });
  } else if (found.config.num_replicas !== replicas) {
    await manager.streams.update(streamName, { num_replicas: replicas });
  }
  for (const lane of lanes) {
    await manager.consumers.add(streamName, {
      durable_name: lane,
      filter_subject: subjectOf(lane),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWithinMs),
    });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}
