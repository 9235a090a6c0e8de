import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDoorbell } from './wake-up.ts';

describe('doorbell', () => {
  it('wakes who waits', async () => {
    const doorbell = createDoorbell();
    const waiting = doorbell.wait(60_000);
    doorbell.ring();
    assert.equal(await waiting, true);
  });

  it('keeps a ring for who waits next, and many as one', async () => {
    const doorbell = createDoorbell();
    doorbell.ring();
    doorbell.ring();
    assert.equal(await doorbell.wait(60_000), true);
    assert.equal(await doorbell.wait(1), false);
  });
});
