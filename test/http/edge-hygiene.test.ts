import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { tiffBytes } from '../support/datasets.ts';
import { describedOperations, type Operation } from '../support/operations.ts';

/** Words that only a backend would say: statements, stacks, paths, hosts, names of tables, drivers and errors. */
const backendWords =
  /select |insert |update "|delete from|relation|column "|syntax error|ECONN|ENOENT|ENOTDIR|EACCES|errno|errorMissing|nonexistent|postgres|\.sock|\bpg\b|kysely|fastify|node_modules|node:internal|\.ts:|    at |\/tmp\/|\/home\/|\/root\/|stack/i;

const services: Readonly<Record<string, () => Promise<TestApp>>> = {
  'the database is away': async () =>
    await startTestApp({ databaseTarget: { host: '/nonexistent', database: 'secret-name' } }),
  'the database has no tables yet': async () => await startTestApp({ isPrepared: () => false }),
  'the database lacks what the service expects': async () => {
    const app = await startTestApp();
    for (const table of ['categories', 'dataset_groups', 'datasets', 'objects', 'landscape_runs']) {
      await app.services.pool.query(`alter table ${table} rename to ${table}_elsewhere`);
    }
    return app;
  },
};

function formOf(fields: Operation['fields']): FormData {
  const form = new FormData();
  form.append('file', new File([tiffBytes], 'x.tif'));
  if ('file_type' in fields) form.append('file_type', 'raster');
  if ('category_id' in fields) form.append('category_id', randomUUID());
  return form;
}

const bodies: Readonly<Record<string, string>> = {
  'POST /categories': '{"code":"a","name":"n"}',
  'POST /dataset-groups': '{"code":"a","name":"n"}',
};

/** A request that would work if there were such a resource. */
function requestOf({ method, path, bodyKind, fields }: Operation): RequestInit {
  if (bodyKind === 'form') return { method, body: formOf(fields) };
  return bodyKind === 'json' ? { method, body: bodies[`${method} ${path}`] ?? '{}' } : { method };
}

for (const [what, start] of Object.entries(services)) {
  describe(`when ${what}`, () => {
    let app: TestApp;
    let operations: readonly Operation[] = [];
    before(async () => {
      app = await start();
      operations = await describedOperations(app);
    });
    after(async () => await app.close());

    test('every operation says that in one word, and nothing of how or where', async () => {
      let failed = 0;
      for (const operation of operations) {
        const url = operation.path.replace('{id}', randomUUID()).replace('{code}', 'landscape-in-dem');
        const response = await fetch(app.baseUrl + url, requestOf(operation));
        const text = await response.text();
        const headers = JSON.stringify([...response.headers]);
        const name = `${operation.method} ${operation.path} ${response.status} ${text}`;
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff', name);
        assert.doesNotMatch(text, backendWords, name);
        assert.doesNotMatch(headers, backendWords, name);
        if (response.status < 500) continue;
        failed += 1;
        if (operation.path === '/readyz') {
          assert.equal(JSON.parse(text).components.database, 'unavailable', name);
        } else {
          assert.ok(['{"error":"internal error"}', '{"error":"database unavailable"}'].includes(text), name);
        }
      }
      assert.ok(failed >= 25, String(failed));
      assert.equal((await fetch(`${app.baseUrl}/healthz`)).status, 200);
    });
  });
}
