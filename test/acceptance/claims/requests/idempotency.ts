import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Answer, Asked, Client } from '../../client.ts';
import { unique, makeCategory } from '../../support/catalogue.ts';
import { countDatasets, discard, makeTable, partsOf, settle } from '../../support/datasets.ts';
import { smallRaster } from '../../support/files.ts';
import { type Run, listRuns } from '../../support/landscape.ts';
import { tableRows, unmappedTable } from '../../support/shared.ts';

const withKey = (key: string) => ({ headers: { 'idempotency-key': `"${key}"` } });

/** Sends a request twice and expects the same answer with the same body and Location. */
async function twice(client: Client, status: number, path: string, asked: () => Asked): Promise<Answer> {
  const [first, second] = [
    await client.expect(status, 'POST', path, asked()),
    await client.expect(status, 'POST', path, asked()),
  ];
  assert.equal(second.text, first.text);
  assert.equal(second.headers.get('location'), first.headers.get('location'));
  assert.equal(second.headers.get('content-type'), first.headers.get('content-type'));
  return second;
}

claim(
  ['D1 key', 'D1 key other', 'D1 key refused'],
  'an upload that is sent again with its key makes one dataset, and another file needs another key',
  async (client) => {
    const { id: category_id } = await makeCategory(client);
    const key = withKey(unique('key "\\'.replaceAll(/["\\]/g, '\\$&')));
    const send = async (file: File, fields = {}): Promise<Asked> => ({
      ...key,
      parts: await partsOf(client, file, { category_id, ...fields }),
    });
    await client.invalid(['end_date'], 'POST', '/datasets', await send(smallRaster(), { end_date: 'x' }));
    const asked = await send(smallRaster());
    const answer = await twice(client, 201, '/datasets', () => asked);
    const parts = [...(asked.parts ?? [])].toReversed();
    const reversed = await client.expect(201, 'POST', '/datasets', { ...key, parts });
    assert.equal(reversed.text, answer.text);
    assert.equal(await countDatasets(client, category_id), 1);
    const bytes = new Uint8Array(await smallRaster().arrayBuffer());
    bytes.fill(1, -1);
    for (const other of [
      await send(new File([bytes], smallRaster().name)),
      await send(smallRaster('other.tif')),
      await send(smallRaster(), { name: 'another name' }),
    ])
      await client.refused(422, 'POST', '/datasets', other);
    assert.equal(await countDatasets(client, category_id), 1);
    await discard(client, answer.read());
    // The stored answer is repeated, whatever happened to the dataset since.
    assert.equal((await client.expect(201, 'POST', '/datasets', asked)).text, answer.text);
    assert.equal(await countDatasets(client, category_id), 0);
  },
);

claim(
  ['D1 key', 'D1 key refused'],
  'an upload to a slot that is sent again with its key makes one dataset, and the key is another one for another slot',
  async (client) => {
    const key = withKey(randomUUID());
    const send = () => ({ ...key, form: { file: smallRaster(), end_date: '0001-01-01' } });
    const slots = ['/landscape/slots/landscape-in-pet', '/landscape/slots/landscape-in-ndvi'];
    const ids = [];
    for (const path of slots) ids.push((await twice(client, 201, path, send)).read<{ id: string }>().id);
    assert.equal(new Set(ids).size, 2);
    for (const id of ids) await discard(client, { id });
  },
);

claim(['D1 key'], 'a mapping that is sent again with its key is one mapping', async (client) => {
  const { id } = await makeTable(client, tableRows);
  const path = `/datasets/${id}/mapping`;
  const json = { kato_column: 'kato', year_columns: [{ column: 'y2022', start_date: '2022-12-31' }] };
  const key = withKey(randomUUID());
  await twice(client, 200, path, () => ({ ...key, json }));
  const { status } = await settle(client, id);
  assert.equal(status, 'ready');
  const again = await client.expect(200, 'POST', path, { ...key, json });
  assert.equal(again.read<{ status: string }>().status, 'extracting');
  await client.refused(422, 'POST', path, { ...key, json: { ...json, kato_column: 'note' } });
  assert.equal((await settle(client, id)).status, 'ready');
});

claim(
  ['D1 key', 'D1 key other'],
  'a run that is asked for again with its key is one run, whatever the order of the members',
  async (client) => {
    const key = withKey(randomUUID());
    const params = { window_size: 512 };
    const answer = await twice(client, 202, '/landscape/runs', () => ({
      ...key,
      json: { params, from_stage: 3 },
    }));
    const turned = await client.expect(202, 'POST', '/landscape/runs', {
      ...key,
      json: { from_stage: 3, params },
    });
    assert.equal(turned.text, answer.text);
    await client.refused(422, 'POST', '/landscape/runs', { ...key, json: { params, from_stage: 2 } });
    const { id } = answer.read<Run>();
    const { data } = await listRuns(client, '?page_size=100');
    assert.equal(data.filter((run) => run.id === id).length, 1);
    await client.ask('DELETE', `/landscape/runs/${id}`);
  },
);

claim(
  ['D1 key syntax'],
  'a key is a string in double quotes of 1 to 255 characters, checked before anything else of the request',
  async (client) => {
    const { id } = await unmappedTable(client);
    const paths = [
      '/datasets',
      '/landscape/slots/landscape-in-dem',
      `/datasets/${id}/mapping`,
      '/landscape/runs',
    ];
    const tooLong = `"${'k'.repeat(256)}"`;
    const wrong = ['bare', '""', '"one', '"a"b"', '"\\x"', '"one", "two"', tooLong, `"caf\u00e9"`, '1'];
    for (const path of paths) {
      for (const key of wrong)
        await client.refused(400, 'POST', path, { json: {}, headers: { 'idempotency-key': key } });
    }
  },
);

checkedElsewhere('test/http/idempotency.test.ts', {
  'is refused while the upload is under way, and then answered, by every api process': ['D1 key under way'],
  'of a refused request can be used for another one': ['D1 key refused'],
});
