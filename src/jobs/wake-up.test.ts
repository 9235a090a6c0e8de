import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWakeUp } from './wake-up.ts';

describe('a wake-up', () => {
  it('wakes who waits', async () => {
    const wakeUp = createWakeUp();
    const waiting = wakeUp.wait(60_000);
    wakeUp.notify();
    assert.equal(await waiting, true);
  });

  it('keeps a notification for the next waiter, and many as one', async () => {
    const wakeUp = createWakeUp();
    wakeUp.notify();
    wakeUp.notify();
    assert.equal(await wakeUp.wait(60_000), true);
    assert.equal(await wakeUp.wait(1), false);
  });
});
