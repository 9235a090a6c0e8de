import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../test/support/client.ts';

const lookEveryMs = 20;

/** The seconds until a dataset has a status. */
export async function secondsToStatus(client: Client, id: string, wanted: string): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const { status, parse_error } = await client.status(id);
    if (status === wanted) return (performance.now() - startedMs) / 1000;
    assert.notEqual(status, 'failed', parse_error ?? '');
    await sleep(lookEveryMs);
  }
}
