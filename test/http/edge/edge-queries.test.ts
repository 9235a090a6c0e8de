import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { startTestApp } from '../../support/app.ts';
import { insertCategory, upload } from '../../support/datasets.ts';
import { exchange, request } from '../../support/http/raw-http.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const dataset = (await upload(app, { category_id: await insertCategory(app.services.db) })).id;

async function get(path: string): Promise<string> {
  return await exchange(app.port, request('GET', path, { host: 'localhost', connection: 'close' }));
}

test('a query with broken escapes is 400 where it is read, and nothing where it is not read', async () => {
  for (const path of ['/%zz', '/categories?parent_id=%ff', '/categories?x=%']) {
    assert.match(await get(path), /^HTTP\/1\.1 400 .*nosniff.*\{"error":/s, path);
  }
  for (const path of ['/healthz?%zz', '/readyz?x=%ff', '/openapi.json?%']) {
    assert.match(await get(path), /^HTTP\/1\.1 200 /, path);
  }
});

describe('what is unknown', () => {
  test('in a query is ignored: names with brackets, names that objects inherit, ten thousand of them', async () => {
    for (const query of [
      'page[]=2&page[0]=2&page%5B%5D=2',
      'a[__proto__][x]=1&__proto__=1&constructor=1&__proto__[page]=2&constructor.prototype.page=2',
      'a&'.repeat(7500),
      Array.from({ length: 2500 }, (_, index) => `x${index}`).join('&'),
      '&&&==&=&',
      'Page=0&PAGE=0&page%00=0',
    ]) {
      const answer = await get(`/datasets?${query}`);
      assert.match(answer, /^HTTP\/1\.1 200 .*"page":1,"page_size":20,"total":1,/s, query.slice(0, 60));
    }
    assert.equal('page' in {}, false);
  });

  test('in a path is refused, with what every answer has', async () => {
    const id = randomUUID();
    for (const path of [
      '/datasets/../../etc/passwd',
      '/datasets/.',
      '/datasets/',
      '/datasets//',
      `/datasets/${dataset}/`,
      `/datasets/${dataset};x`,
      `/datasets/${dataset}%20`,
      `/datasets/${dataset}.cog.geojson`,
      `/datasets/${dataset}.cog/`,
      `/datasets/${dataset}.`,
      `/datasets/${dataset}/STATUS`,
      `/datasets/${dataset}%2fstatus`,
      `/datasets/${id}/../${dataset}`,
      `/DATASETS/${dataset}`,
      '/docs/static/..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/docs/static/%2e%2e/%2e%2e/package.json',
      '/landscape/slots/__proto__',
      '/landscape/runs/constructor',
      '/.git/config',
      '/%',
      '/%c0%af',
      `/${'x/'.repeat(5000)}`,
      `/categories/${'x'.repeat(15_000)}`,
    ]) {
      const answer = await get(path);
      assert.match(
        answer,
        /^HTTP\/1\.1 (400|403|404|405) .*x-content-type-options: nosniff.*\{"error":/is,
        path.slice(0, 80),
      );
      assert.doesNotMatch(answer, /root:|"name": "steppe"/);
    }
  });
});
