import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, send, setState, upload } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

/** An app without a worker: uploads stay in the state that the test sets. */
const app = await closeAfterTests(startTestApp());
const category = await insertCategory(app.services.db);

for (const [type, output] of [
  ['raster', '.cog'],
  ['vector', '.geojson'],
] as const)
  for (const status of ['pending', 'processing'] as const)
    test(`${type}: what is ${status} has no output yet, no report, and no retry`, async () => {
      const { id } = await upload(app, { category_id: category, file_type: type });
      await setState(app.services, id, { status });
      const path = `/datasets/${id}`;
      const answers = await Promise.all([
        send(app, path + output),
        send(app, `${path}/report`),
        send(app, `${path}/retry`, { method: 'POST' }),
      ]);
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [409, 404, 409],
      );
    });
