/** Runs the test files that `scripts/test.ts` names in STEPPE_TEST_UNITS in this one process. */
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { projectRoot } from './project.ts';

const files = z.array(z.string()).parse(JSON.parse(process.env['STEPPE_TEST_UNITS'] ?? '[]'));
for (const file of files) {
  await import(join(projectRoot, file)).catch((error: unknown) => {
    test(file, () => {
      throw error;
    });
  });
}
