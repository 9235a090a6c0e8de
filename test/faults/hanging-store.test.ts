import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withDeadlines } from '../../src/object-store/deadlines.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { startTestApp } from '../support/app.ts';
import { insertCategory, insertGroup, send, sendForm, tiffBytes, upload } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';

const sld = '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"/>';
const unavailable = [503, { error: 'object_store unavailable' }];
const answerMs = 10_000;

/** A store that answers nothing while it is frozen, and everything afterwards, like a stopped process. */
function createFreezer() {
  let thawed: PromiseWithResolvers<void> | undefined;
  const around = (store: ObjectStore): ObjectStore => {
    const slow: Record<string, unknown> = { ...store };
    for (const name of ['put', 'adopt', 'size', 'read', 'open', 'link', 'remove', 'check'] as const) {
      slow[name] = async (...args: never) => {
        await thawed?.promise;
        return await Reflect.apply(store[name] ?? assert.fail(name), store, args);
      };
    }
    return withDeadlines({ ...store, ...slow });
  };
  return {
    around,
    freeze: () => void (thawed = Promise.withResolvers()),
    thaw: () => thawed?.resolve(),
  };
}

const freezer = createFreezer();
const app = await closeAfterTests(startTestApp({ aroundStore: freezer.around }));
const { db } = app.services;
const categoryId = await insertCategory(db);
const fields = Object.entries({ file_type: 'raster', category_id: categoryId });

describe('an object store that hangs', () => {
  test('answers every request within ten seconds, and takes no connection with it', async () => {
    const kept = await upload(app, { category_id: categoryId });
    const groupId = await insertGroup(db);
    const doomed = await Array.fromAsync(
      { length: 20 },
      async () => await upload(app, { category_id: categoryId }),
    );
    freezer.freeze();
    const timed = async <T>(answer: Promise<T>) => {
      const startedAt = performance.now();
      return { ...(await answer), ms: performance.now() - startedAt };
    };
    const asking = {
      upload: timed(sendForm(app, '/datasets', [...fields, ['file', new File([tiffBytes], 'relief.tif')]])),
      style: timed(sendForm(app, `/dataset-groups/${groupId}/sld`, [['file', new File([sld], 'style.sld')]])),
      download: timed(send(app, `/datasets/${kept.id}/download`)),
    };
    const deletes = doomed.map(
      async ({ id }) => await timed(send(app, `/datasets/${id}`, { method: 'DELETE' })),
    );
    // Requests without the store succeed meanwhile; the pool has fewer connections than there are deletes.
    await Promise.all(deletes.slice(0, 1));
    const list = await timed(send(app, '/datasets'));
    assert.equal(list.status, 200);
    assert.ok(list.ms < 2000, `${list.ms} ms`);
    const ready = await timed(send<{ components: unknown }>(app, '/readyz'));
    const components = { database: 'ok', object_store: 'unavailable', message_queue: 'ok' };
    assert.deepEqual([ready.status, ready.body.components], [503, components]);

    for (const deleted of await Promise.all(deletes)) {
      assert.equal(deleted.status, 204);
      assert.ok(deleted.ms < answerMs, `${deleted.ms} ms`);
    }
    for (const [what, answer] of Object.entries(asking)) {
      const { status, body, ms } = await answer;
      assert.deepEqual([status, body], unavailable, what);
      assert.ok(ms < answerMs, `${what}: ${ms} ms`);
    }

    freezer.thaw();
    await eventually('ready', async () => (await send(app, '/readyz')).status === 200, 5);
    await upload(app, { category_id: categoryId });
    const left = await db.selectFrom('datasets').select('id').execute();
    assert.equal(left.length, 2);
  });
});
