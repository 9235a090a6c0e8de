import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { type GroupBody, makeGroup } from '../support/catalogue.ts';

const sld = (name: string): string =>
  `<?xml version="1.0"?>\n<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><!-- ${name} --></StyledLayerDescriptor>\n`;

claim(
  [
    '4.3 POST sld',
    '4.3 GET sld',
    '4.3 POST sld replaces',
    '2.2 DatasetGroup.sld_storage_key',
    '2.2 DatasetGroup.sld_filename',
    '2.2 DatasetGroup.sld_content_type',
  ],
  'the style of a group is kept byte by byte, shows in the group, and is replaced by the next',
  async (client) => {
    const before = await makeGroup(client);
    const path = `/dataset-groups/${before.id}`;
    let previous = before;
    for (const name of ['первый.sld', 'second.xml', 'Third.SLD']) {
      const form = { file: new File([sld(name)], name) };
      const group = await client.read<GroupBody>(200, 'POST', `${path}/sld`, { form });
      assert.equal(group.sld_filename, name);
      assert.ok(typeof group.sld_storage_key === 'string' && group.sld_storage_key !== '');
      assert.ok(typeof group.sld_content_type === 'string' && group.sld_content_type !== '');
      assert.notEqual(group.sld_storage_key, previous.sld_storage_key);
      assert.ok(group.updated_at > previous.updated_at);
      assert.deepEqual(await client.get(path), group);
      const file = await client.expect(200, 'GET', `${path}/sld`);
      assert.equal(file.text, sld(name));
      assert.match(file.headers.get('content-type') ?? '', /^application\/xml\b/);
      previous = group;
    }
  },
);

claim(['4.3 POST sld'], 'a change of the group leaves its style alone', async (client) => {
  const { id, code } = await makeGroup(client);
  const path = `/dataset-groups/${id}`;
  const styled = (
    await client.expect(200, 'POST', `${path}/sld`, { form: { file: new File([sld('s')], 's.sld') } })
  ).read<GroupBody>();
  const changed = (
    await client.expect(200, 'PUT', path, { json: { code, name: 'after' } })
  ).read<GroupBody>();
  assert.deepEqual(changed, { ...styled, name: 'after', updated_at: changed.updated_at });
  assert.equal((await client.expect(200, 'GET', `${path}/sld`)).text, sld('s'));
});

claim(['4.3 GET sld 404', '7 404 SLD'], 'a group without a style has none to give', async (client) => {
  const { id } = await makeGroup(client);
  await client.refused(404, 'GET', `/dataset-groups/${id}/sld`);
});

claim(
  ['4.3 POST sld extensions', '4.3 POST sld 422', '7 422 input'],
  'a style that is none, or has another extension, is 422 on file, and the one before stays',
  async (client) => {
    const { id } = await makeGroup(client);
    const path = `/dataset-groups/${id}/sld`;
    await client.expect(200, 'POST', path, { form: { file: new File([sld('kept')], 'kept.sld') } });
    const wrong = [
      new File([sld('x')], 'x.txt'),
      new File([sld('x')], 'x'),
      new File([sld('x')], 'x.sld.zip'),
      new File([], 'x.sld'),
      new File(['not xml'], 'x.sld'),
      new File(['<StyledLayerDescriptor>'], 'x.sld'),
      new File(['<html/>'], 'x.xml'),
      new File([`<!DOCTYPE a>${sld('x').replace(/^.*\n/, '')}`], 'x.sld'),
    ];
    for (const file of wrong) await client.invalid(['file'], 'POST', path, { form: { file } });
    await client.invalid(['file'], 'POST', path, { form: { other: 'text' } });
    await client.invalid(['file'], 'POST', path, { form: { file: sld('as text') } });
    assert.equal((await client.expect(200, 'GET', path)).text, sld('kept'));
  },
);

claim(
  ['4.3 POST sld 400', 'D1 400 multipart', '4.3 GET sld 400'],
  'a style that comes in no form, or to no uuid, is 400',
  async (client) => {
    const { id } = await makeGroup(client);
    const path = `/dataset-groups/${id}/sld`;
    for (const type of ['application/xml', 'multipart/form-data', 'multipart/mixed; boundary=edge']) {
      await client.refused(400, 'POST', path, { body: sld('x'), headers: { 'content-type': type } });
    }
    await client.refused(400, 'POST', path);
    const form = { file: new File([sld('x')], 'x.sld') };
    await client.refused(400, 'POST', '/dataset-groups/x/sld', { form });
    await client.refused(400, 'GET', '/dataset-groups/x/sld');
  },
);
