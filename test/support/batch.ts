/** The program of a process for several test files, which `scripts/test.ts` names in a module that imports this one. */
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { noteProcessorTime } from '../../scripts/test/note.ts';
import { projectRoot } from './project.ts';

/** Begins the titles of tests that only keep order between files; the runner neither prints nor counts them. */
export const orderOnly = 'order: ';

/** Loads test files, one after the other; their tests run when all are loaded. What each costs is noted. */
export async function loadTests(files: readonly string[]): Promise<void> {
  const loaded = Promise.withResolvers<void>();
  // While this one waits, the runner does not take those that came first for all, and closes nothing that is shared.
  test(`${orderOnly}the files are loaded`, async () => await loaded.promise);
  for (const file of files) {
    await import(pathToFileURL(join(projectRoot, file)).href).catch((error: unknown) => {
      test(file, () => {
        throw error;
      });
    });
    noteProcessorTime(file);
    test(`${orderOnly}the end of ${file}`, () => noteProcessorTime(file));
  }
  loaded.resolve();
}
