import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../test/support/project.ts';
import { describeTypes } from './console/types.ts';

/** Writes the types of the console's requests, as test/console/types.test.ts expects them. */
for (const [file, types] of Object.entries(describeTypes()))
  writeFileSync(join(projectRoot, 'console/src/service', file), types);
