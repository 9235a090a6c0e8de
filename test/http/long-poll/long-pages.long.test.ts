import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MiB } from '../../../src/lib/units.ts';
import { startTestApp } from '../../support/app.ts';
import { insertCategory, send, sendJson, upload, type DatasetBody } from '../../support/datasets.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

interface Page {
  readonly data: readonly DatasetBody[];
}

const app = await closeAfterTests(startTestApp());

describe('a page of very long descriptions', () => {
  const longest = '\u001f'.repeat(MiB); // six characters each in JSON

  it('comes whole, though no text could hold it', async () => {
    const category = await insertCategory(app.services.db);
    const count = 50; // 600 MiB of JSON, longer than a string in V8
    let id = '';
    for (let n = 0; n < count; n += 1) ({ id } = await upload(app, { category_id: category }));
    const body = { description: longest, unit: longest };
    assert.equal((await sendJson(app, 'PATCH', `/datasets/${id}`, body)).status, 200);
    await app.services.db.updateTable('datasets').set(body).execute();
    const answer = await fetch(`${app.baseUrl}/datasets?page_size=100`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    let [bytes, end] = [0, ''];
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      end = (end + Buffer.from(chunk.subarray(-200)).toString()).slice(-200);
    }
    assert.ok(bytes > count * 2 * 6 * MiB, String(bytes));
    assert.ok(end.endsWith(`],"page":1,"page_size":100,"total":${count},"total_pages":1}`), end);
    const one = await send<Page>(app, '/datasets?page_size=1');
    assert.equal(one.body.data[0]?.['description'], longest);
  });

  it('cannot be made of longer ones', async () => {
    const { id } = await upload(app, { category_id: await insertCategory(app.services.db) });
    for (const field of ['description', 'unit']) {
      const { status, body } = await sendJson<{ errors: object }>(app, 'PATCH', `/datasets/${id}`, {
        [field]: 'x'.repeat(MiB + 1),
      });
      assert.equal(status, 422);
      assert.deepEqual(body.errors, { [field]: 'must have at most 1048576 characters' });
    }
  });
});
