/** `npm run test:long -- --minutes 25`: the files of the long tier, then what can be repeated for as long as is left. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readOptions } from '../src/commands/options.ts';
import { projectRoot } from '../test/support/project.ts';

/** These repeat, for as long as is left of the minutes. */
const repeated = [
  'test/faults/kill-9.long.test.ts',
  'test/landscape/service/kill-9.long.test.ts',
  'test/hostile/mutations/mutations.long.test.ts',
];
/** These are in both tiers, and do more in the long one. */
const longer = [
  'test/first-minute.test.ts',
  'test/survey.test.ts',
  'test/geo/earth.test.ts',
  'test/faults/frozen-database.test.ts',
];
const longOnly = globSync('test/**/*.long.test.ts', { cwd: projectRoot });
const once = [...longer, ...longOnly.filter((file) => !repeated.includes(file))];
const { values } = readOptions(process.argv.slice(2), { minutes: { type: 'string', default: '25' } }, 0);
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error(`test:long: --minutes ${values.minutes}: a number above 0`);
  process.exit(1);
}
const end = Date.now() + minutes * 60_000;
const report: string[] = [];
runPart('each file of the long tier', once, Infinity);
for (const [index, part] of repeated.entries()) {
  const left = Math.max(0, end - Date.now());
  runPart(part, [part], Date.now() + left / (repeated.length - index));
}
console.log(`long tier, in a budget of ${minutes} minutes:\n${report.join('\n')}`);

/** Runs test files, which repeat what they can repeat until this time. */
function runPart(name: string, paths: readonly string[], until: number): void {
  const begin = Date.now();
  const { status } = spawnSync(process.execPath, ['scripts/test.ts', ...paths], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, STEPPE_TEST_TIER: 'long', STEPPE_TEST_UNTIL: String(until) },
  });
  const taken = ((Date.now() - begin) / 60_000).toFixed(1);
  report.push(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${taken} min)`);
  if (status !== 0) process.exitCode = 1;
}
