import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client as ServiceClient } from '../test/support/client.ts';
import { startService } from '../test/support/service.ts';

const pollEveryMs = 20;

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** Starts a service with a category, and creates a temporary folder for uploads. */
export async function openBench() {
  await using opening = new AsyncDisposableStack();
  const folder = await makeFolder(opening);
  const service = opening.use(await startService({ env: { LOG_LEVEL: 'warn' } }));
  const client = createClient(service.baseUrl);
  const categoryId = await client.createCategory('bench');
  const opened = opening.move();
  return {
    folder,
    service,
    client,
    /** Uploads a file into the category; returns the dataset's id. */
    async upload(type: string, path: string, name = basename(path)): Promise<string> {
      return await client.upload(categoryId, type, new File([await openAsBlob(path)], name));
    },
    categoryId,
    /** Resources that are closed with it. */
    resources: opened,
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

/** Creates a temporary folder, which is removed with `resources`. */
export async function makeFolder(resources: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  resources.defer(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the seconds until a dataset has a status. */
export async function secondsToStatus(client: ServiceClient, id: string, wanted: string): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const { status, parse_error } = await client.status(id);
    if (status === wanted) return (performance.now() - startedMs) / 1000;
    assert.notEqual(status, 'failed', parse_error ?? '');
    await sleep(pollEveryMs);
  }
}
