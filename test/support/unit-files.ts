/** Runs the test files that `scripts/test.ts` names in STEPPE_TEST_UNITS in this one process. */
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { projectRoot } from './project.ts';

const files = z.array(z.string()).parse(JSON.parse(process.env['STEPPE_TEST_UNITS'] ?? '[]'));
const loaded = Promise.withResolvers<void>();
// While this one waits, the runner does not take those that came first for all, and closes nothing that is shared.
test('the files are loaded', async () => await loaded.promise);
for (const file of files) {
  await import(join(projectRoot, file)).catch((error: unknown) => {
    test(file, () => {
      throw error;
    });
  });
}
loaded.resolve();
