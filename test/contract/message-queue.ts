import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageQueue } from '../../src/message-queue/message-queue.ts';

export interface OpenedMessageQueue {
  readonly queue: MessageQueue;
  /** A second one, as another process would have it. */
  readonly other: MessageQueue;
  /** Breaks the connections of both; they come back by themselves. */
  interrupt(): Promise<void>;
  /** After this the queue cannot be reached any more. */
  close(): Promise<void>;
}

const deadlineMs = 20_000;

/** Describes the contract of every message queue: a notification between two live ends is heard, and nothing else ever hurts. */
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
      const subscription = await opened.queue.subscribe((jobId) => heard.add(jobId));
      const ids = [randomUUID(), randomUUID()];
      await opened.other.notify(String(ids[0]));
      await opened.queue.notify(String(ids[1]));
      await until(() => ids.every((id) => heard.has(id)));
      await subscription.close();
    });

    it('carries every one of a hundred rings at once', async () => {
      const heard = new Set<string>();
      const subscription = await opened.queue.subscribe((jobId) => heard.add(jobId));
      const ids = Array.from({ length: 100 }, () => randomUUID());
      await Promise.all(ids.map((id) => opened.other.notify(id)));
      await until(() => ids.every((id) => heard.has(id)));
      await subscription.close();
    });

    it('says nothing more to a closed subscription, and goes on with the others', async () => {
      const closedHeard: string[] = [];
      const openHeard = new Set<string>();
      const closed = await opened.queue.subscribe((jobId) => closedHeard.push(jobId));
      const still = await opened.other.subscribe((jobId) => openHeard.add(jobId));
      await closed.close();
      const id = randomUUID();
      // A transport may hand a message to one of several subscribers: the closed one must not count as one.
      await opened.other.notify(id);
      await until(() => openHeard.has(id));
      await delay(100);
      assert.deepEqual(closedHeard, []);
      await still.close();
    });

    it('carries rings again after its connections broke', async () => {
      const heard = new Set<string>();
      const subscription = await opened.queue.subscribe((jobId) => heard.add(jobId));
      await opened.interrupt();
      const id = randomUUID();
      await until(async () => {
        await opened.other.notify(id);
        return heard.has(id);
      });
      await until(async () => await answers(opened.queue));
      await subscription.close();
    });

    it('rings without a listener, and twice, without complaint', async () => {
      const id = randomUUID();
      await opened.queue.notify(id);
      await opened.queue.notify(id);
    });

    it('answers a check, and never rejects a notification even when it cannot be reached', async () => {
      await opened.queue.check();
      const gone = await open();
      await gone.close();
      await assert.rejects(gone.queue.check());
      await gone.queue.notify(randomUUID());
    });
  });
}

async function answers(queue: MessageQueue): Promise<boolean> {
  return await queue.check().then(
    () => true,
    () => false,
  );
}

async function until(claim: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await claim())) {
    assert.ok(performance.now() < deadline, 'not heard in time');
    await delay(20);
  }
}
