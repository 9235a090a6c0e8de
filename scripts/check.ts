import { spawnSync } from 'node:child_process';
import { enginePackageIsInstalled } from './setup/engine-package.mjs';
import { projectRoot } from '../test/support/project.ts';
import { budgetSeconds, examineBudget } from './test/costs.ts';
import { inWords } from './test/times.ts';

/** Types, format, lint, dead code and words. Each check prints its findings, and all run even after a failure. */
const checks = [
  {
    title: 'declaration of the API, which the console asks by',
    command: ['node', 'scripts/console-types.ts'],
  },
  { title: 'types', command: ['tsc', '--project', '.'] },
  { title: 'types of the console', command: ['tsc', '--project', 'console'] },
  // Its types are unknown without the package; CI installs it.
  ...(enginePackageIsInstalled()
    ? [{ title: 'types of the workflow engine', command: ['tsc', '--project', 'engines/temporal'] }]
    : []),
  { title: 'format', command: ['oxfmt', '--check'] },
  { title: 'lint', command: ['oxlint', '--deny-warnings'] },
  { title: 'dead code', command: ['knip'] },
  { title: 'words', command: ['node', 'scripts/words.ts'] },
];

const failed = checks.filter(({ title, command: [tool = '', ...args] }) => {
  const start = performance.now();
  const { status } = spawnSync(`node_modules/.bin/${tool}`, args, { cwd: projectRoot, stdio: 'inherit' });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  return status !== 0;
});
if (!enginePackageIsInstalled()) {
  console.log(
    'not checked: types of the workflow engine, which `npm run services -- --install temporal` installs',
  );
}
const isWithinBudget = await checkBudget();
process.exit(failed.length === 0 && isWithinBudget ? 0 : 1);

/** Compares the cost of the files of `npm test` with the budget, and prints the most expensive ones. */
async function checkBudget(): Promise<boolean> {
  const { sumSeconds, dearest, unknown } = await examineBudget();
  const isWithin = sumSeconds <= budgetSeconds && unknown.length === 0;
  console.log(
    `${isWithin ? 'ok    ' : 'FAILED'} budget of npm test: ${inWords(sumSeconds)} of processor time, of ${inWords(budgetSeconds)}`,
  );
  for (const [name, seconds] of dearest) console.log(`${seconds.toFixed(1).padStart(15)} s  ${name}`);
  for (const file of unknown) console.log(`       not measured: npm test -- --costs ${file}`);
  return isWithin;
}
