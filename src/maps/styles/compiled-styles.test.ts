import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { subscribeToStyleNews, type StyleNews } from '../../database/news.ts';
import { openListener } from '../../database/listener.ts';
import { readCompiledStyle } from './compiled-styles.ts';
import { createRecentDatasets } from '../../datasets/recent-datasets.ts';
import { sweepObjects } from '../../object-store/sweeper.ts';
import { replaceStyle } from './styles.ts';
import { ObjectMissing, StoreUnavailable } from '../../object-store/object-store.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, send, sendForm, sendJson, upload } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';

const app = await closeAfterTests(startTestApp());
const { db } = app.services;
const category_id = await insertCategory(db);
const sldOf = (title: string) =>
  `<StyledLayerDescriptor><NamedLayer><UserStyle><Title>${title}</Title></UserStyle></NamedLayer></StyledLayerDescriptor>`;

let groups = 0;
async function makeGroup(): Promise<string> {
  groups += 1;
  const group = { code: `styled-${groups}`, name: 'styled' };
  return (await sendJson(app, 'POST', '/dataset-groups', group)).body.id;
}

/** Sets the style of a dataset or a group, and returns its key. */
async function style(owner: string, title: string): Promise<string> {
  const { status, body } = await sendForm(app, `/${owner}/sld`, [
    ['file', new File([sldOf(title)], 's.sld')],
  ]);
  assert.equal(status, 200);
  return String(body['sld_storage_key']);
}

async function compiledTitles(keys: readonly string[]): Promise<readonly unknown[]> {
  const rows = await db
    .selectFrom('compiled_styles')
    .select(['sld_storage_key', 'compiled'])
    .where('sld_storage_key', 'in', keys)
    .execute();
  const titles = new Map(rows.map((row) => [row.sld_storage_key, JSON.parse(row.compiled).title]));
  return keys.map((key) => titles.get(key));
}

test('a style is compiled when it is stored, and what was compiled goes with the bytes', async () => {
  const group = `dataset-groups/${await makeGroup()}`;
  const first = await style(group, 'first');
  assert.deepEqual(await compiledTitles([first]), ['first']);
  const second = await style(group, 'second');
  assert.deepEqual(await compiledTitles([first, second]), [undefined, 'second']);
  assert.equal((await send(app, `/${group}`, { method: 'DELETE' })).status, 204);
  assert.deepEqual((await sweepObjects(db, app.services.objectStore)).failures, []);
  assert.deepEqual(await compiledTitles([second]), [undefined]);
  assert.deepEqual(await db.selectFrom('objects').where('key', 'in', [first, second]).execute(), []);
});

test('a style from before styles were compiled is compiled when it is read, by any number at once', async () => {
  const key = await style(`dataset-groups/${await makeGroup()}`, 'old');
  await db.deleteFrom('compiled_styles').execute();
  const read = await Promise.all([1, 2, 3].map(async () => await readCompiledStyle(app.services, key)));
  assert.deepEqual(
    read.map(({ title }) => title),
    ['old', 'old', 'old'],
  );
  assert.deepEqual(await compiledTitles([key]), ['old']);
});

test('a style that another version has compiled is compiled again', async () => {
  const key = await style(`dataset-groups/${await makeGroup()}`, 'new');
  const compiled = JSON.stringify({ version: 0, title: 'ancient' });
  await db.updateTable('compiled_styles').set({ compiled }).where('sld_storage_key', '=', key).execute();
  assert.equal((await readCompiledStyle(app.services, key)).title, 'new');
  assert.deepEqual(await compiledTitles([key]), ['new']);
});

test('what is compiled while a style goes away is not kept, and a style that is gone is missing', async () => {
  const key = await style(`dataset-groups/${await makeGroup()}`, 'going');
  await db.deleteFrom('compiled_styles').execute();
  await db.updateTable('objects').set({ state: 'deleting' }).where('key', '=', key).execute();
  assert.equal((await readCompiledStyle(app.services, key)).title, 'going');
  assert.deepEqual(await compiledTitles([key]), [undefined]);
  await assert.rejects(readCompiledStyle(app.services, 'styles/nowhere.sld'), ObjectMissing);
});

test('the database tells of each change of a style, and of nothing else', async () => {
  await using closing = new AsyncDisposableStack();
  const listener = await openListener(app.databaseTarget, { onError: () => undefined });
  closing.defer(listener.close);
  const news: StyleNews[] = [];
  const heard = Promise.withResolvers<void>();
  subscribeToStyleNews(listener, (each) => news.push(each), heard.resolve);
  await heard.promise;
  const group = await makeGroup();
  const { id } = await upload(app, { category_id, file_type: 'vector' });
  await sendJson(app, 'PATCH', `/datasets/${id}`, { name: 'renamed' });
  await style(`datasets/${id}`, 'own');
  await sendJson(app, 'PATCH', `/datasets/${id}`, { dg_id: group });
  await style(`dataset-groups/${group}`, 'shared');
  await eventually('three changes', async () => news.length >= 3);
  assert.deepEqual(news, [
    { table: 'datasets', id },
    { table: 'datasets', id },
    { table: 'dataset_groups', id: group },
  ]);
});

test('a dataset is drawn with its own style, else with that of its group', async () => {
  const { maps } = app.services;
  const [group, other] = [await makeGroup(), await makeGroup()];
  const { id } = await upload(app, { category_id, file_type: 'vector', dg_id: group });
  const keyOf = async () => (await maps.dataset(id)).sld_key;
  assert.equal(await keyOf(), null);
  const shared = await style(`dataset-groups/${group}`, 'shared');
  assert.equal(await keyOf(), shared);
  await sendJson(app, 'PATCH', `/datasets/${id}`, { dg_id: other });
  assert.equal(await keyOf(), null);
  const own = await style(`datasets/${id}`, 'own');
  assert.equal(await keyOf(), own);
  await send(app, `/datasets/${id}`, { method: 'DELETE' });
  await assert.rejects(keyOf(), /no such dataset/);
});

test('a change by another process is noticed as soon as it is heard', async () => {
  await using closing = new AsyncDisposableStack();
  const listener = await openListener(app.databaseTarget, { onError: () => undefined });
  closing.defer(listener.close);
  const heard = Promise.withResolvers<void>();
  const group = await makeGroup();
  const { id } = await upload(app, { category_id, file_type: 'vector', dg_id: group });
  const elsewhere = createRecentDatasets({ db, listener });
  closing.defer(elsewhere.close);
  // Subscribed after the reader, so that it is notified later.
  let changes = 0;
  subscribeToStyleNews(listener, () => (changes += 1), heard.resolve);
  await heard.promise;
  for (const title of ['one', 'two', 'three', 'four']) {
    const before = changes;
    await elsewhere.read(id);
    const key = await style(`dataset-groups/${group}`, title);
    await eventually('the change', async () => changes > before);
    assert.equal((await elsewhere.read(id)).sld_key, key);
  }
});

test('a report that meets a style just replaced is about the new one', async () => {
  const group = `dataset-groups/${await makeGroup()}`;
  const titles = ['a', 'b', 'c', 'd', 'e', 'f'];
  const reports = async () => {
    for (const _ of titles) {
      await sql`delete from compiled_styles`.execute(db);
      const { status, body } = await send(app, `/${group}/sld/report`);
      assert.equal(status, 200, JSON.stringify(body));
    }
  };
  await style(group, 'first');
  await Promise.all([
    reports(),
    (async () => {
      for (const title of titles) await style(group, title);
    })(),
  ]);
  assert.equal((await send(app, `/${group}/sld/report`)).body['title'], 'f');
});

const sent = { filename: 's.sld', mediaType: undefined, bytes: Buffer.from(sldOf('sent')) };

test('a store that is away is reported while the thread that compiles has not started yet', async () => {
  const owner = { table: 'dataset_groups', id: await makeGroup() } as const;
  const put = async () => {
    throw new StoreUnavailable({ cause: new Error('no answer') });
  };
  const objectStore = { ...app.services.objectStore, put };
  const thread = Promise.withResolvers<never>();
  const compileStyle = async () => await thread.promise;
  await assert.rejects(
    replaceStyle({ db, objectStore, compileStyle }, owner, { file: sent, problems: {} }),
    StoreUnavailable,
  );
  thread.reject(new Error('the thread has died'));
});

test('a style that cannot be compiled leaves no object', async () => {
  const owner = { table: 'dataset_groups', id: await makeGroup() } as const;
  const compileStyle = async () => {
    throw new Error('the thread has died');
  };
  const replacing = replaceStyle({ ...app.services, compileStyle }, owner, { file: sent, problems: {} });
  await assert.rejects(replacing, /the thread has died/);
  const left = await db.selectFrom('objects').where('key', 'like', `%${owner.id}%`).execute();
  assert.deepEqual(left, []);
});
