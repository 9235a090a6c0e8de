/** `npm run test:long -- --minutes 25`: the parts of the long tier one after the other, each with its share of what is left. */
import { spawnSync } from 'node:child_process';
import { readOptions, UsageError } from '../src/commands/options.ts';
import { projectRoot } from '../test/support/project.ts';

const parts = [
  'test/faults/http-edge.test.ts',
  'test/faults/kill-9.test.ts',
  'test/landscape/service/kill-9.test.ts',
  'test/hostile/mutations',
  'test/fuzz/fuzz.test.ts',
];
const { values } = readOptions(process.argv.slice(2), { minutes: { type: 'string', default: '25' } }, 0);
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new UsageError(`--minutes ${values.minutes}: a number above 0`);
const end = Date.now() + minutes * 60_000;
const report: string[] = [];
for (const [index, part] of parts.entries()) {
  const begin = Date.now();
  const until = begin + (end - begin) / (parts.length - index);
  const { status } = spawnSync(process.execPath, ['scripts/test.ts', part], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, STEPPE_TEST_TIER: 'long', STEPPE_TEST_UNTIL: String(until) },
  });
  const taken = ((Date.now() - begin) / 60_000).toFixed(1);
  report.push(`${status === 0 ? 'ok    ' : 'FAILED'} ${part} (${taken} min)`);
  if (status !== 0) process.exitCode = 1;
}
console.log(`long tier, in a budget of ${minutes} minutes:\n${report.join('\n')}`);
