import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAcceptanceClient } from '../../acceptance/client.ts';
import { fetchBytes } from '../../acceptance/support/bytes.ts';
import { makeTable, map } from '../../acceptance/support/datasets.ts';
import { readObservations } from '../../acceptance/support/observations.ts';
import { makeMemoryFolder } from '../../support/memory-folder.ts';
import { projectRoot } from '../../support/project.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { pythonReaders } from '../../support/tables/parquet.ts';
import { startService } from '../../support/service.ts';

const program = fileURLToPath(new URL('table-parquet.py', import.meta.url));
const fixtures = join(projectRoot, 'test/fixtures');

/** Names of the column of codes in the tables. */
const codeColumns: readonly string[] = ['kato', 'KATO', 'КАТО', 'code', 'id'];

/** Tables by KATO of public agencies, and those of the field cases. */
async function tables(): Promise<readonly string[]> {
  const names = (await readdir(join(fixtures, 'kato'))).filter((name) => name.endsWith('.geojson'));
  const cases = ['geojson-bigint/bigint', 'geojson-feature-ids/ids', 'kato-code-spellings/codes'];
  return [...names.map((name) => `kato/${name}`), ...cases.map((name) => `field-cases/${name}.geojson`)];
}

test('pandas reads from Parquet the observations that the service lists as JSON, number by number', async () => {
  const python = join(installPythonTools(pythonReaders), 'python');
  await using service = await startService();
  const client = createAcceptanceClient(service.baseUrl);
  const folder = await makeMemoryFolder('steppe-test-');
  try {
    const all = await tables();
    for (const [index, path] of all.entries()) {
      const file = new File([await readFile(join(fixtures, path))], path.split('/').at(-1) ?? '');
      const { id, attribute_columns: columns } = await makeTable(client, file);
      const names = (columns ?? []).map(({ name }) => name);
      const katoColumn = names.find((name) => codeColumns.includes(name)) ?? assert.fail(path);
      const years = names
        .filter((name) => name !== katoColumn)
        .map((column, at) => ({ column, start_date: `${1900 + at}-02-28` }));
      const mapped = await map(client, id, katoColumn, years);
      assert.equal(mapped.status, 'ready', path);
      for (const shape of ['long', 'wide']) {
        const { bytes } = await fetchBytes(
          client,
          200,
          `/datasets/${id}/observations.parquet?shape=${shape}`,
        );
        await writeFile(join(folder, `${index}.${shape}.parquet`), bytes);
      }
      const observations = await readObservations(client, id);
      assert.ok(observations.length > 0, path);
      const table = { path, kato_column: katoColumn, year_columns: years, observations };
      await writeFile(join(folder, `${index}.json`), JSON.stringify(table));
    }
    const { stdout } = await promisify(execFile)(python, [program, folder]);
    assert.equal(stdout, `${all.length} tables are equal\n`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
