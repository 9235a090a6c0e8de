import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageQueue, QueueLane } from '../../src/message-queue/message-queue.ts';
import { until } from '../support/jobs.ts';

export interface OpenedMessageQueue {
  readonly queue: MessageQueue;
  /** A second queue, as another process has it. */
  readonly other: MessageQueue;
  /** Breaks the connections of both; they reconnect by themselves. */
  interrupt(): Promise<void>;
  /** Makes the queue unreachable for good. */
  close(): Promise<void>;
}

/**
 * Describes the contract of every message queue: a notification between two connected ends is received, and
 * no failure of the queue affects its callers.
 */
export function describeMessageQueue(name: string, open: () => Promise<OpenedMessageQueue>): void {
  describe(`message queue: ${name}`, () => {
    let opened: OpenedMessageQueue;
    before(async () => {
      opened = await open();
    });
    after(async () => {
      await opened.close();
    });

    it('carries a notification from one process to another, and within one', async () => {
      const heard = new Set<string>();
      const subscription = await hear(opened.queue, (jobId) => heard.add(jobId));
      const ids = [randomUUID(), randomUUID()];
      await opened.other.notify(String(ids[0]), 'datasets');
      await opened.queue.notify(String(ids[1]), 'datasets');
      await until(() => ids.every((id) => heard.has(id)));
      await subscription.close();
    });

    it('carries as many wake-ups at once as a listener has room for', async () => {
      const heard = new Set<string>();
      const subscription = await hear(opened.queue, (jobId) => heard.add(jobId));
      const ids = Array.from({ length: 64 }, () => randomUUID());
      await Promise.all(ids.map((id) => opened.other.notify(id, 'datasets')));
      await until(() => ids.every((id) => heard.has(id)));
      await subscription.close();
    });

    it('delivers nothing more to a closed subscription, and continues with the others', async () => {
      const closedHeard: string[] = [];
      const openHeard = new Set<string>();
      const closed = await hear(opened.queue, (jobId) => closedHeard.push(jobId));
      const still = await hear(opened.other, (jobId) => openHeard.add(jobId));
      await closed.close();
      const id = randomUUID();
      // A transport may deliver a message to one of several subscribers: a closed one must not count.
      await opened.other.notify(id, 'datasets');
      await until(() => openHeard.has(id));
      await delay(100);
      assert.deepEqual(closedHeard, []);
      await still.close();
    });

    it('carries wake-ups again after its connections broke', async () => {
      const heard = new Set<string>();
      const subscription = await hear(opened.queue, (jobId) => heard.add(jobId));
      await opened.interrupt();
      const id = randomUUID();
      await until(async () => {
        await opened.other.notify(id, 'datasets');
        return heard.has(id);
      });
      await until(async () => await answers(opened.queue));
      await subscription.close();
    });

    it('wakes up each lane separately', async () => {
      const [datasets, runs] = [new Set<string>(), new Set<string>()];
      const subscriptions = [
        await hear(opened.queue, (jobId) => datasets.add(jobId)),
        await hear(opened.queue, (jobId) => runs.add(jobId), 'runs'),
      ];
      const [dataset, run] = [randomUUID(), randomUUID()];
      await opened.other.notify(dataset, 'datasets');
      await opened.other.notify(run, 'runs');
      await until(() => datasets.has(dataset) && runs.has(run));
      await delay(100);
      assert.deepEqual([datasets.has(run), runs.has(dataset)], [false, false]);
      for (const each of subscriptions) await each.close();
    });

    it('delivers wake-ups to one listener while another has no room', async () => {
      const heard = new Set<string>();
      let room = 1;
      const full = await opened.queue.subscribe('datasets', { room: () => room, onWakeUp: () => undefined });
      room = 0;
      const open = await hear(opened.other, (jobId) => heard.add(jobId));
      const ids = Array.from({ length: 20 }, () => randomUUID());
      for (const id of ids) await opened.queue.notify(id, 'datasets');
      await until(() => ids.every((id) => heard.has(id)));
      await full.close();
      await open.close();
    });

    it('stores none of five hundred wake-ups without a listener', async () => {
      for (let n = 0; n < 10; n += 1) {
        const ids = Array.from({ length: 50 }, () => randomUUID());
        await Promise.all(ids.map((id) => opened.queue.notify(id, 'datasets')));
      }
      const heard = new Set<string>();
      const subscription = await hear(opened.queue, (jobId) => heard.add(jobId));
      const id = randomUUID();
      await opened.other.notify(id, 'datasets');
      await until(() => heard.has(id));
      assert.deepEqual([...heard], [id]);
      await subscription.close();
    });

    it('answers a check, and never rejects a notification even when it cannot be reached', async () => {
      await opened.queue.check();
      const gone = await open();
      await gone.close();
      await assert.rejects(gone.queue.check());
      await gone.queue.notify(randomUUID(), 'datasets');
    });
  });
}

async function hear(queue: MessageQueue, onWakeUp: (jobId: string) => unknown, lane: QueueLane = 'datasets') {
  return await queue.subscribe(lane, { room: () => 64, onWakeUp: async (jobId) => void onWakeUp(jobId) });
}

/** Returns whether a queue answers a check. */
export async function answers(queue: MessageQueue): Promise<boolean> {
  return await queue.check().then(
    () => true,
    () => false,
  );
}
