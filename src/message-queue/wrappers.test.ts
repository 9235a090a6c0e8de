import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withDeadlines, type MessageQueue } from './message-queue.ts';

const never = async (): Promise<never> => await new Promise(() => undefined);
const hanging: MessageQueue = { notify: never, subscribe: never, check: never, close: never };

describe('deadlines of a message queue', () => {
  it('let no request wait for a wake-up longer than a tenth of a second', async () => {
    const startedAt = performance.now();
    await withDeadlines(hanging).notify('job', 'runs');
    const ms = performance.now() - startedAt;
    assert.ok(ms >= 90 && ms < 1000, `${ms} ms`);
  });

  it('fail what a queue that hangs is asked, and end with it', async () => {
    const queue = withDeadlines(hanging, { answerMs: 20 });
    await assert.rejects(queue.check());
    await assert.rejects(queue.subscribe('runs', { room: () => 1, onWakeUp: () => undefined }));
    await queue.close();
  });

  it('pass on what a queue that works is told and says', async () => {
    const told: string[] = [];
    const queue = withDeadlines({
      notify: async (jobId) => void told.push(jobId),
      async subscribe(_lane, { onWakeUp }) {
        void onWakeUp('heard');
        return { close: async () => void told.push('closed') };
      },
      check: async () => undefined,
      close: async () => undefined,
    });
    await queue.notify('woken', 'runs');
    const subscription = await queue.subscribe('runs', {
      room: () => 1,
      onWakeUp: (jobId) => void told.push(jobId),
    });
    await subscription.close();
    await queue.check();
    assert.deepEqual(told, ['woken', 'heard', 'closed']);
  });
});
