/**
 * `npm run test:acceptance`: the claims against BASE_URL, or a service of its own; with `-- --external` that one works with an
 * external PostgreSQL behind PgBouncer, an S3 store and NATS. `-- --list`: rows, and what checks them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadSuite } from '../test/acceptance/claim.ts';
import { startServices } from '../test/support/services/services.ts';

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
  await using stack = new AsyncDisposableStack();
  const isExternal = process.argv.includes('--external');
  const external = isExternal ? stack.use(await startServices()).pooledEnv : {};
  const child = spawn(process.execPath, ['--test', 'test/acceptance/acceptance.test.ts'], {
    stdio: 'inherit',
    env: { ...process.env, STEPPE_TEST_TIER: 'long', STEPPE_TEST_SERVICES: JSON.stringify(external) },
  });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
}
