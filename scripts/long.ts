/** `npm run test:long -- --minutes 10`: what `npm test` leaves out, and what does more in the long tier, until its time is up. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readOptions } from '../src/commands/options.ts';
import { projectRoot } from '../test/support/project.ts';
import { needsOf } from './test/choose.ts';

const { values } = readOptions(process.argv.slice(2), { minutes: { type: 'string', default: '10' } }, 0);
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error(`test:long: --minutes ${values.minutes}: a number above 0`);
  process.exit(1);
}
const files = globSync('test/**/*.test.ts', { cwd: projectRoot }).filter(
  (file) => file.endsWith('.long.test.ts') || needsOf(file).has('tier'),
);
const { status } = spawnSync(process.execPath, ['scripts/test.ts', ...files], {
  cwd: projectRoot,
  stdio: 'inherit',
  // What repeats does so until then, and at least once.
  env: {
    ...process.env,
    STEPPE_TEST_TIER: 'long',
    STEPPE_TEST_UNTIL: String(Date.now() + minutes * 60_000),
  },
});
process.exitCode = status ?? 1;
