import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cloneInto } from '../support/tools/clones.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { startPostgres } from '../support/services/postgres.ts';
import { makeCertificates, startTemporal, temporalOn } from '../support/services/temporal.ts';
import { examine } from './examine.ts';

const folder = await temporaryFolder();
const dataDir = join(folder, 'data');
const temporal = await closeAfterTests(startTemporal(folder));

describe('./steppe doctor', () => {
  test('asks the workflow engine for its version and its namespace', async () => {
    const said = await examine({ dataDir, env: { WORKFLOW_ENGINE_URL: temporal.url } });
    assert.match(
      said,
      /^Runs {7}127\.0\.0\.1:\d+: Temporal 1\.32\.1 answers\n {11}namespace steppe keeps what has ended for 72 h$/m,
    );
    const other = await examine({
      dataDir,
      env: { WORKFLOW_ENGINE_URL: temporal.url.replace('=steppe', '=maps') },
    });
    assert.match(other, /^ {11}namespace maps is made by the first worker$/m);
  });

  test('uses TLS with a client certificate, and says that the server cannot be used without one', async () => {
    const home = await temporaryFolder();
    const tls = await makeCertificates(home);
    await using guarded = await startTemporal(home, { tls });
    const url = `${guarded.url.replace('127.0.0.1', 'localhost')}&ca=${tls.ca}`;
    const env = { WORKFLOW_ENGINE_URL: `${url}&cert=${tls.cert}&key=${tls.key}` };
    assert.match(await examine({ dataDir, env }), /^Runs {7}localhost:\d+: Temporal 1\.32\.1 answers$/m);
    const without = await examine({ dataDir, env: { WORKFLOW_ENGINE_URL: url } }, 1);
    assert.match(without, /^Runs {7}localhost:\d+ cannot be used: \S.+$/m);
  });

  test('says that it does not answer', async () => {
    const said = await examine({ dataDir, env: { WORKFLOW_ENGINE_URL: 'temporal://127.0.0.1:1' } }, 1);
    assert.match(said, /^Runs {7}127\.0\.0\.1:1 cannot be used: \S.+$/m);
    assert.match(said, /\n\nSteppe cannot work here; see Runs\.\n$/);
  });

  test('says what to type in a clone without the package', async () => {
    const clone = await cloneInto(folder);
    const said = await examine(
      {
        dataDir,
        env: { WORKFLOW_ENGINE_URL: temporal.url },
        command: [process.execPath, join(clone, 'src/main.ts')],
        cwd: clone,
      },
      1,
    );
    assert.match(said, /^Runs {7}.+ is not installed.+ Type: npm run services -- --install temporal$/m);
  });
});

test('a Temporal server on PostgreSQL keeps what it knows, until its databases are emptied', async () => {
  await using postgres = await startPostgres(folder);
  const database = await temporalOn(postgres);
  await using onPostgres = await startTemporal(await temporaryFolder(), { database });
  const asked = { dataDir, env: { WORKFLOW_ENGINE_URL: onPostgres.url } };
  assert.match(await examine(asked), /namespace steppe keeps/);
  await onPostgres.process.stop();
  await onPostgres.empty();
  await onPostgres.restart();
  assert.match(await examine(asked), /namespace steppe keeps/);
});
