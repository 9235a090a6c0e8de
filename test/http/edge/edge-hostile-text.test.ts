import assert from 'node:assert/strict';
import { insertSourceFile, insertStacImport } from '../../support/requests/source-requests.ts';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { startTestApp } from '../../support/app.ts';
import {
  insertCategory,
  insertGroup,
  type Refusal,
  send,
  sendForm,
  sendJson,
  setState,
  tiffBytes,
  upload,
} from '../../support/datasets.ts';
import { type DescribedOperation, describedOperations } from '../../support/http/document.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { isLongTier } from '../../support/tier.ts';

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly total: number;
}

/** Texts that would have an effect as SQL, a pattern, a path, a template or markup. */
const hostile = [
  `' or '1'='1`,
  `'; drop table datasets; --`,
  `"; delete from categories; --`,
  `1; select pg_sleep(30)`,
  `' || pg_sleep(30) || '`,
  `') union select usename, passwd from pg_shadow --`,
  `x' and 1=(select count(*) from jobs) --`,
  `'::uuid`,
  `\\'; truncate datasets cascade; --`,
  `$$; drop table jobs; $$`,
  `$1`,
  `{1,2}`,
  `/* */ or 1=1`,
  `%' or name like '%`,
  `%`,
  `_`,
  `\\`,
  `\\%`,
  `E'\\\\x00'`,
  `\u02bc or 1=1`,
  `<script>alert(1)</script>`,
  `\${7*7} {{7*7}} <%= 7*7 %>`,
  `../../../../etc/passwd`,
  `; ls | cat $(id) \`id\``,
  `%s%n%x%d`,
  `null`,
  `undefined`,
  `true`,
  `NaN`,
  `__proto__`,
  `constructor`,
  `-1`,
  `\r\nX-Evil: 1`,
  `\u202etxt`,
  `\ufeff\u200b\u2028`,
  `ﷺ😀Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢`,
] as const;

const app = await closeAfterTests(startTestApp({ landscape: true }));
const operations = await describedOperations(app);
const category = await insertCategory(app.services.db);
const group = await insertGroup(app.services.db);
const run = (await sendJson<{ readonly id: string }>(app, 'POST', '/landscape/runs', '{}')).body.id;
const hook = { url: 'https://maps.example/' };
const webhook = (await sendJson<{ readonly id: string }>(app, 'POST', '/webhooks', hook)).body.id;
const template = randomUUID();
await app.services.pool.query(
  `insert into form_templates (id, group_id, filename, format, object_key, size_bytes)
   values ($1, $2, 'balance.xlsx', 'xlsx', 'templates/balance', 1)`,
  [template, group],
);
const source = await insertSourceFile(app);
const stac = await insertStacImport(app);
const dataset = (await upload(app, { category_id: category, file_type: 'vector_with_kato' })).id;

function pathOf({ path }: DescribedOperation): string {
  if (path.startsWith('/categories')) return path.replace('{id}', category);
  if (path.startsWith('/webhooks')) return path.replace('{id}', webhook);
  if (path.startsWith('/datasets/references/stac')) return path.replace('{id}', stac);
  if (path.startsWith('/source-files')) return path.replace('{id}', source);
  if (path.startsWith('/form-templates')) return path.replace('{id}', template);
  if (path.startsWith('/dataset-groups')) return path.replace('{id}', group);
  if (path.startsWith('/landscape/runs')) return path.replace('{id}', run);
  return path.replace('{id}', dataset).replace('{code}', 'landscape-in-dem');
}

/** Number of rows of every table. */
async function rowCounts(): Promise<Readonly<Record<string, number>>> {
  const { rows: tables } = await app.services.pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await app.services.pool.query<{ count: string }>(`select count(*) from "${name}"`);
    counts[name] = Number(rows[0]?.count);
  }
  assert.ok(Object.keys(counts).length >= 6);
  return counts;
}

describe('U+0000 and half a surrogate pair', () => {
  test('in any field of a JSON body are 422 on it', async () => {
    const texts = operations
      .filter(({ bodyKind }) => bodyKind === 'json')
      .flatMap((operation) =>
        Object.entries(operation.fields)
          .filter(([, { type }]) => type === 'string')
          .map(([name]) => [operation, name] as const),
      );
    assert.ok(texts.length >= 15);
    for (const [operation, name] of texts) {
      for (const text of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00\\ud800']) {
        const body = `{"${name}":"${text}"}`;
        const { status, body: answer } = await sendJson<Refusal>(
          app,
          operation.method,
          pathOf(operation),
          body,
        );
        // Clients of standards expect 400 with one sentence for all fields.
        const isStandard = operation.path.startsWith('/stac');
        assert.equal(status, isStandard ? 400 : 422, `${operation.method} ${operation.path} ${body}`);
        assert.ok(
          name in (answer.errors ?? {}) || (isStandard && answer.error?.includes(`${name}: `) === true),
          `${operation.path} ${body}`,
        );
      }
    }
  });
});

describe('text that would like to be a command is text:', () => {
  test('in every parameter and id, and in every field of what changes nothing, no table has a row more or less', async () => {
    const before = await rowCounts();
    for (const [index, operation] of operations.entries()) {
      const { method, path, query, fields, bodyKind } = operation;
      // In the short tier, each operation gets other texts.
      const texts = isLongTier ? hostile : hostile.filter((_, turn) => turn % 4 === index % 4);
      for (const text of texts) {
        const sent = encodeURIComponent(text);
        const urls = query.map(({ name }) => `${pathOf(operation)}?${name}=${sent}`);
        if (path.includes('{')) urls.push(path.replace(/\{\w+\}/, sent));
        const init = bodyKind === 'json' ? { method, body: '{"unknown":1}' } : { method };
        for (const url of urls) {
          if (method === 'POST' && path === '/landscape/runs') continue;
          const { status } = await send(app, url, init);
          assert.ok(status < 500, `${method} ${url} ${status}`);
        }
        // All fields at once: a field that is not free text is invalid, because no code ends in a blank.
        if (bodyKind !== 'json' || path.endsWith('/retry')) continue;
        const body = JSON.stringify(
          Object.fromEntries(Object.keys(fields).map((name) => [name, name === 'code' ? `${text} ` : text])),
        );
        const { status } = await sendJson(app, method, pathOf(operation), body);
        assert.equal(status, path.startsWith('/stac') ? 400 : 422, `${method} ${path} ${text}`);
      }
    }
    assert.deepEqual(await rowCounts(), before);
  });

  test('as name, unit or meta of a dataset it is kept, and a search finds that dataset', async () => {
    for (const text of hostile) {
      const name = `mark ${text} mark`;
      const { status, body } = await sendForm(app, '/datasets', [
        ['file_type', 'raster'],
        ['category_id', category],
        ['name', name],
        ['unit', text],
        ['meta', JSON.stringify({ [text]: text })],
        ['file', new File([tiffBytes], 'x.tif')],
      ]);
      assert.equal(status, 201);
      assert.deepEqual(
        [body.name, body['unit'], body['meta']],
        [name, text, JSON.parse(JSON.stringify({ [text]: text }))],
      );
      const found = await send<Page>(app, `/datasets?q=${encodeURIComponent(name)}`);
      assert.deepEqual(
        found.body.data.map(({ id }) => id),
        [body.id],
        text,
      );
      for (const query of ['category_code', 'q'].map(
        (each) => `${each}=${encodeURIComponent(`no ${text} no`)}`,
      )) {
        assert.equal((await send<Page>(app, `/datasets?${query}`)).body.total, 0, query);
      }
      const observed = await send<Page>(
        app,
        `/datasets/${dataset}/observations?kato_code=${encodeURIComponent(text)}`,
      );
      assert.deepEqual([observed.status, observed.body.total], [200, 0]);
    }
  });

  test('as columns of a table it can be mapped', async () => {
    const columns = hostile.map((name) => ({ name }));
    const [kato_column, ...years] = hostile;
    await setState(app.services, dataset, {
      status: 'awaiting_mapping',
      attribute_columns: JSON.stringify(columns),
    });
    const year_columns = years.map((column) => ({ column, start_date: '2020-01-01', end_date: null }));
    const { status, body, text } = await sendJson(app, 'POST', `/datasets/${dataset}/mapping`, {
      kato_column,
      year_columns,
    });
    assert.equal(status, 200, text);
    assert.deepEqual([body['kato_column'], body['year_columns']], [kato_column, year_columns]);
  });
});
