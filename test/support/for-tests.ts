import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const opened = new AsyncDisposableStack();
after(async () => await opened.disposeAsync());

/** Calls `work` after the last test of a file; the last one registered runs first. */
export function afterTests(work: () => Promise<unknown>): void {
  opened.defer(async () => void (await work()));
}

/** Closes what the tests of a file share after the last of them. */
export async function closeAfterTests<T extends AsyncDisposable | { close(): Promise<unknown> }>(
  opening: Promise<T>,
): Promise<T> {
  const it = await opening;
  afterTests(async () => await ('close' in it ? it.close() : it[Symbol.asyncDispose]()));
  return it;
}

/** Creates a temporary folder for all tests of a file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-test-'));
  afterTests(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}
