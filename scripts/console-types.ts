import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../test/support/project.ts';
import { describeTypes } from './console/types.ts';

/** Writes the types of the console's requests, as test/console/types.test.ts expects them. */
writeFileSync(join(projectRoot, 'console/src/service/types.ts'), describeTypes());
