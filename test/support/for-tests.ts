import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const opened = new AsyncDisposableStack();
after(async () => await opened.disposeAsync());

/** Does this after the last test of a file; what was asked for last comes first. */
export function afterTests(work: () => Promise<unknown>): void {
  opened.defer(async () => void (await work()));
}

/** Closes what all tests of a file use after the last of them. */
export async function closeAfterTests<T extends AsyncDisposable | { close(): Promise<unknown> }>(
  opening: Promise<T>,
): Promise<T> {
  const it = await opening;
  afterTests(async () => await ('close' in it ? it.close() : it[Symbol.asyncDispose]()));
  return it;
}

/** Makes a temporary folder for all tests of a file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-test-'));
  afterTests(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}
