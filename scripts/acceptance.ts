/**
 * `npm run test:acceptance`: runs the claims against BASE_URL, or its own service; `-- --list` lists them with their checks. `npm run
 * test:services` runs the same claims with external services.
 */
import { spawnSync } from 'node:child_process';
import { loadSuite } from '../test/acceptance/claim.ts';

if (process.argv.includes('--list')) {
  const { rows, claims, elsewhere } = await loadSuite();
  let unchecked = 0;
  for (const [id, words] of rows) {
    const found = [
      ...claims.filter((claim) => claim.rows.includes(id)).map(({ text }) => text),
      ...elsewhere.filter((each) => each.rows.includes(id)).map(({ file, title }) => `${title} (${file})`),
    ];
    if (found.length === 0) unchecked += 1;
    console.log(`${id}  ${words}`);
    for (const line of found.length === 0 ? ['NOT CHECKED'] : found) console.log(`    ${line}`);
  }
  console.log(
    `${rows.size} rows, ${claims.length} claims, ${elsewhere.length} elsewhere, ${unchecked} not checked`,
  );
  process.exitCode = unchecked === 0 ? 0 : 1;
} else {
  const { status } = spawnSync(process.execPath, ['--test', 'test/acceptance/acceptance.test.ts'], {
    stdio: 'inherit',
    env: { ...process.env, STEPPE_TEST_TIER: 'long' },
  });
  process.exitCode = status ?? 1;
}
