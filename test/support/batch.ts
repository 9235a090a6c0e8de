/** Program of a process for several test files, which `scripts/test.ts` lists in a module that imports this one. */
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { noteProcessorTime } from '../../scripts/test/note.ts';
import { projectRoot } from './project.ts';

/** Prefix of the titles of tests that only keep files in order; the runner neither prints nor counts them. */
export const orderOnly = 'order: ';

/** Loads test files one after the other; their tests run when all files are loaded. Records the cost of each file. */
export async function loadTests(files: readonly string[]): Promise<void> {
  const loaded = Promise.withResolvers<void>();
  // While this test waits, the runner does not treat the tests loaded so far as all, and does not close what
  // files share.
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
