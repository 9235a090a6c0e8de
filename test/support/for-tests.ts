import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** Closes what all tests of a file use after the last of them. */
export async function closeAfterTests<T extends AsyncDisposable | { close(): Promise<unknown> }>(
  opening: Promise<T>,
): Promise<T> {
  const opened = await opening;
  after(async () => await ('close' in opened ? opened.close() : opened[Symbol.asyncDispose]()));
  return opened;
}

/** A temporary folder for all tests of a file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-test-'));
  after(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}
