import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestApp } from '../../support/app.ts';
import { insertCategory, setState, upload } from '../../support/datasets.ts';
import { onePoint } from '../../support/geo/feature-files.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { pythonReaders } from '../../support/tables/parquet.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { insertLargeTable } from '../../support/tables/ready-table.ts';

const program = fileURLToPath(new URL('exports-by-address.py', import.meta.url));

test('geopandas, pandas, pyarrow with fsspec and GDAL read files by their address', async () => {
  const python = join(installPythonTools(pythonReaders), 'python');
  const app = await closeAfterTests(startTestApp());
  const { id } = await upload(app, {
    category_id: await insertCategory(app.services.db),
    file_type: 'vector',
  });
  await setState(app.services, id, { status: 'ready' }, { geojson: '{}', fgb: onePoint });
  const table = await insertLargeTable(app, 100);
  const addresses = [id, table].map((each) => `${app.baseUrl}/datasets/${each}`);
  const { stdout } = await promisify(execFile)(python, [program, ...addresses]);
  assert.deepEqual(stdout.split('\n').slice(0, -1).map(Number), [1, 1, 1, 100, 200]);
});
