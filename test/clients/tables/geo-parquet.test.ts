import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAcceptanceClient } from '../../acceptance/client.ts';
import { fetchBytes } from '../../acceptance/support/bytes.ts';
import { settle, upload } from '../../acceptance/support/datasets.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { pythonReaders } from '../../support/tables/parquet.ts';
import { projectRoot } from '../../support/project.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { startService } from '../../support/service.ts';

const program = fileURLToPath(new URL('geo-parquet.py', import.meta.url));
const fixtures = join(projectRoot, 'test/fixtures/vector');

test('geopandas reads from GeoParquet the features of each vector, as GDAL reads them from its FlatGeobuf', async () => {
  const python = join(installPythonTools(pythonReaders), 'python');
  await using service = await startService();
  const client = createAcceptanceClient(service.baseUrl);
  const folder = await temporaryFolder();
  const names = (await readdir(fixtures)).filter((name) =>
    ['.geojson', '.gpkg', '.zip'].includes(extname(name)),
  );
  let ready = 0;
  for (const name of names) {
    const file = new File([await readFile(join(fixtures, name))], name);
    const { id } = await upload(client, file, { file_type: 'vector' });
    if ((await settle(client, id)).status !== 'ready') continue;
    for (const form of ['fgb', 'parquet']) {
      const { bytes } = await fetchBytes(client, 200, `/datasets/${id}.${form}`);
      await writeFile(join(folder, `${ready}.${form}`), bytes);
    }
    ready += 1;
  }
  assert.ok(ready > 10, `${ready} of ${names.length} vectors`);
  const { stdout } = await promisify(execFile)(python, [program, folder]);
  assert.match(stdout, /^[1-9]\d{2,} features are equal\n$/);
});
