import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteUnderway, startTestApp } from '../../../test/support/app.ts';
import { leftovers, type Part, send, sendForm, tiffBytes } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

interface Listed {
  readonly group_id: string;
  readonly sld_url?: string | null;
}

const app = await closeAfterTests(startTestApp({ landscape: true }));

const fill = async (code: string, parts: readonly Part[] = []) =>
  await sendForm(app, `/landscape/slots/${code}`, [['file', new File([tiffBytes], 'a.tif')], ...parts]);

async function list(what: 'slots' | 'results'): Promise<readonly Listed[]> {
  const { status, body, text } = await send<Listed[]>(app, `/landscape/${what}`);
  assert.equal(status, 200, text);
  return body;
}

async function groupOfSlot(): Promise<string> {
  return (await list('slots'))[0]?.group_id ?? assert.fail('there are slots');
}

test('a group without a legend has no path of one', async () => {
  await app.services.db
    .updateTable('dataset_groups')
    .set({ sld_storage_key: null, sld_filename: null, sld_content_type: null })
    .where('code', '=', 'landscape-02-ruggedness')
    .execute();
  assert.equal((await list('results'))[1]?.sld_url, null);
});

describe('an upload to a slot', () => {
  test('that is not there is not even written for a moment, and its code may be anything', async () => {
    await app.services.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no object is to be written'; end $$;
      create trigger refuse before insert on objects for each row execute function refuse()`);
    assert.equal((await fill('landscape-in-dem')).status, 500);
    for (const code of ['landscape-in-nothing', 'landscape-in%2Fdem', 'x'.repeat(10_000), '__proto__', '']) {
      assert.equal((await fill(code)).status, 404, code.slice(0, 30));
    }
    for (const code of ['landscape-in-dem%00', '%ff', '%zz']) {
      assert.equal((await fill(code)).status, 400, code);
    }
    await app.services.pool.query('drop trigger refuse on objects');
  });

  test('that is wrong leaves no row, no object and no ledger entry', async () => {
    const before = await leftovers(app.services);
    for (const parts of [[['name', ' ']], [['file', new File(['II*\0'], 'b.tif')]]] as const) {
      assert.equal((await fill('landscape-in-dem', parts)).status, 422);
    }
    assert.deepEqual(await leftovers(app.services), before);
  });

  test('is 413 when it is over the limit, whether there is such a slot or not', async () => {
    await using small = await startTestApp({ landscape: true, maxUploadBytes: 20_000 });
    const before = await leftovers(small.services);
    const form = new FormData();
    form.append('file', new File([tiffBytes, Buffer.alloc(20_000)], 'large.tif'));
    for (const code of ['landscape-in-dem', 'landscape-in-nothing']) {
      // A stream, whose length is not known in advance.
      const { headers, body } = new Response(form);
      const init = { method: 'POST', headers, body, duplex: 'half' } as const;
      assert.equal((await send(small, `/landscape/slots/${code}`, init)).status, 413, code);
    }
    assert.deepEqual(await leftovers(small.services), before);
  });
});

describe('the category of slot uploads', () => {
  async function categoryId(): Promise<string | undefined> {
    const { body } = await send<{ id: string; code: string }[]>(app, '/categories');
    return body.find(({ code }) => code === 'landscape')?.id;
  }

  test('is created again when it is missing, but not for a slot that is not there', async () => {
    const first = await categoryId();
    assert.equal((await send(app, `/categories/${first}`, { method: 'DELETE' })).status, 204);
    assert.equal((await fill('landscape-in-nothing')).status, 404);
    assert.equal(await categoryId(), undefined);
    const { status, body } = await fill('landscape%2Din-%64em');
    assert.equal(status, 201);
    assert.notEqual(body['category_id'], first);
    assert.equal(await categoryId(), body['category_id']);
    assert.equal((await send(app, `/datasets/${body.id}`, { method: 'DELETE' })).status, 204);
  });

  test('is created again when it is deleted between the check of an upload and its insert', async () => {
    // A sequence is not rolled back with the failed insert: the fault occurs once.
    await app.services.pool.query(`
      create sequence inserts;
      create function delete_category_once() returns trigger language plpgsql as $$ begin
        if nextval('inserts') = 1 then delete from categories where code = 'landscape'; end if;
        return new;
      end $$;
      create trigger once before insert on datasets for each row execute function delete_category_once()`);
    const { status, body, text } = await fill('landscape-in-dem');
    assert.equal(status, 201, text);
    assert.equal(await categoryId(), body['category_id']);
    await app.services.pool.query('drop trigger once on datasets');
    assert.equal((await send(app, `/datasets/${body.id}`, { method: 'DELETE' })).status, 204);
  });
});

// This test comes last, because it leaves the graph without a group.
test('an upload to a slot whose group was deleted, or is in the middle, is 404 and leaves nothing', async () => {
  const before = await leftovers(app.services);
  const id = await groupOfSlot();
  const raced = await deleteUnderway(
    app.services,
    { table: 'dataset_groups', id },
    async () => await fill('landscape-in-dem'),
  );
  assert.equal(raced.status, 404);
  const { stored, ledger, datasets } = await leftovers(app.services);
  assert.deepEqual(datasets, before.datasets);
  assert.deepEqual(
    stored.toSorted(),
    ledger.map(({ key }) => key),
  );
  assert.equal((await fill('landscape-in-dem')).status, 404);
  assert.equal((await leftovers(app.services)).stored.length, before.stored.length);
});
