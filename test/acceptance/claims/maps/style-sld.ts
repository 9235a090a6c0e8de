import assert from 'node:assert/strict';
import type { Client } from '../../client.ts';
import { claim } from '../../claim.ts';
import { type GroupBody, makeGroup } from '../../support/catalogue.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { type Dataset, getDataset, once, upload } from '../../support/datasets.ts';
import { bytesOf, emptyLayer, repositoryFile } from '../../support/files.ts';
import { failedRaster, readyOnes } from '../../support/shared.ts';
import { windows1251 } from '../../support/shapefile.ts';

const root = (inner = '<NamedLayer/>', attributes = ' version="1.0.0"'): string =>
  `<StyledLayerDescriptor${attributes}>${inner}</StyledLayerDescriptor>`;

/** A style that declares its encoding. */
const declared = (encoding: string, inner?: string): string =>
  `<?xml version="1.0" encoding="${encoding}"?>${root(inner)}`;

const makeDataset = async (client: Client, fields: Readonly<Record<string, string>> = {}): Promise<Dataset> =>
  await upload(client, emptyLayer(), fields);

/** A dataset and a group that receive only styles that are refused. */
const plain = once(async (client) => [
  `/datasets/${(await makeDataset(client)).id}/sld`,
  `/dataset-groups/${(await makeGroup(client)).id}/sld`,
]);

async function sendStyle(client: Client, id: string, file: File): Promise<void> {
  await client.expect(200, 'POST', `/datasets/${id}/sld`, { form: { file } });
}

/** Expects a style to be refused, and returns the message. */
async function refuseStyle(client: Client, id: string, file: File): Promise<string | undefined> {
  return (await client.invalid(['file'], 'POST', `/datasets/${id}/sld`, { form: { file } }))['file'];
}

const styleOf = (content: string | Uint8Array<ArrayBuffer>, name = 'style.sld'): File =>
  new File([content], name);

claim(
  [
    '4.4 POST sld',
    '4.4 GET sld',
    'D5 verbatim',
    'D5 sandbox',
    '2.3 Dataset.sld_storage_key',
    '2.3 Dataset.sld_filename',
    '2.3 Dataset.sld_content_type',
  ],
  'a style is stored and read byte by byte, for datasets of every type and state',
  async (client) => {
    const content = Buffer.from(`\ufeff<?xml version='1.0'?>\r\n<!-- ж -->\n${root()}\n\n`);
    const headers = ['Content-Disposition: form-data; name="file"; filename="C:\\стили\\Снег.SLD"'];
    const failed = await failedRaster(client);
    for (const { id, file_type } of [...(await readyOnes(client)), failed]) {
      const raw = [{ headers, content }];
      const dataset = await client.read<Dataset>(200, 'POST', `/datasets/${id}/sld`, { raw });
      const { sld_storage_key, sld_filename, sld_content_type } = dataset;
      assert.equal(dataset.file_type, file_type);
      assert.equal(sld_filename, 'Снег.SLD');
      assert.equal(sld_content_type, 'application/vnd.ogc.sld+xml');
      assert.match(sld_storage_key ?? '', /^[\w./-]+$/);
      assert.equal((await getDataset(client, id)).sld_storage_key, sld_storage_key);
      const read = await fetchBytes(client, 200, `/datasets/${id}/sld`);
      assert.ok(read.bytes.equals(content));
      assert.equal(read.headers['content-type'], 'application/xml');
      assert.match(String(read.headers['content-security-policy']), /^sandbox(?:;|$)/);
    }
  },
);

claim(['4.4 POST sld replaces'], 'a style replaces the one before', async (client) => {
  const { id } = await makeDataset(client);
  await sendStyle(client, id, styleOf(root('<a/>'), 'one.sld'));
  const first = await getDataset(client, id);
  await sendStyle(client, id, styleOf(root('<b/>'), 'two.xml'));
  const second = await getDataset(client, id);
  assert.equal(second.sld_filename, 'two.xml');
  assert.notEqual(second.sld_storage_key, first.sld_storage_key);
  assert.ok(Date.parse(second.updated_at) > Date.parse(first.updated_at));
  assert.equal((await client.expect(200, 'GET', `/datasets/${id}/sld`)).text, root('<b/>'));
  await refuseStyle(client, id, styleOf('<x/>'));
  assert.equal((await client.expect(200, 'GET', `/datasets/${id}/sld`)).text, root('<b/>'));
});

claim(
  ['4.4 GET sld of the group', '4.4 GET sld', '4.3 POST sld', '4.3 GET sld', '1.4 styles'],
  'without a style of its own a dataset has that of its group, and none of another',
  async (client) => {
    const [dg_id, other] = [(await makeGroup(client)).id, (await makeGroup(client)).id];
    const { id } = await makeDataset(client, { dg_id });
    const path = `/datasets/${id}/sld`;
    await client.refused(404, 'GET', path);
    const shared = { file: styleOf(root('<group/>')) };
    await client.expect(200, 'POST', `/dataset-groups/${dg_id}/sld`, { form: shared });
    const found = await fetchBytes(client, 200, path);
    assert.equal(found.bytes.toString(), root('<group/>'));
    assert.equal(found.headers['content-type'], 'application/xml');
    assert.match(String(found.headers['content-security-policy']), /^sandbox(?:;|$)/);
    const { sld_storage_key, sld_filename } = await getDataset(client, id);
    assert.deepEqual([sld_storage_key, sld_filename], [null, null]);
    await sendStyle(client, id, styleOf(root('<own/>')));
    assert.equal((await client.expect(200, 'GET', path)).text, root('<own/>'));
    const moved = await makeDataset(client, { dg_id });
    await client.expect(200, 'PATCH', `/datasets/${moved.id}`, { json: { dg_id: other } });
    await client.refused(404, 'GET', `/datasets/${moved.id}/sld`);
  },
);

claim(
  ['D5 own removed', '2.3 Dataset.sld_storage_key'],
  'a dataset gives up its own style, once, and has that of its group again',
  async (client) => {
    const dg_id = (await makeGroup(client)).id;
    const { id } = await makeDataset(client, { dg_id });
    const [path, own] = [`/datasets/${id}/sld`, `/datasets/${id}/sld/own`];
    const shared = { file: styleOf(root('<group/>')) };
    await client.expect(200, 'POST', `/dataset-groups/${dg_id}/sld`, { form: shared });
    await client.refused(404, 'DELETE', own);
    await sendStyle(client, id, styleOf(root('<own/>')));
    const before = await getDataset(client, id);
    const after = await client.read<Dataset>(200, 'DELETE', own);
    assert.deepEqual([after.sld_storage_key, after.sld_filename, after.sld_content_type], [null, null, null]);
    assert.ok(Date.parse(after.updated_at) > Date.parse(before.updated_at));
    assert.equal((await client.expect(200, 'GET', path)).text, root('<group/>'));
    await client.refused(404, 'DELETE', own);
    await client.refused(404, 'DELETE', `/datasets/${dg_id}/sld/own`);
  },
);

const utf16 = (text: string, bigEndian: boolean): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.from(text, 'utf16le');
  return Uint8Array.from(bigEndian ? bytes.swap16() : bytes);
};

claim(
  ['D5 root', 'D5 prefixes', 'D5 encodings', 'D5 verbatim'],
  'an SLD of either version, with prefixes, in any encoding that it names, is accepted and comes back as it was',
  async (client) => {
    const path = `/dataset-groups/${(await makeGroup(client)).id}/sld`;
    const real = ['1.0_raster_complexRaster.sld', 'danube.sld', 'restteststyleV110.sld'];
    for (const file of [
      root('', ' xmlns="http://www.opengis.net/sld" version="1.1.0"'),
      '<StyledLayerDescriptor/>',
      '<sld:StyledLayerDescriptor xmlns:sld="http://www.opengis.net/sld"></sld:StyledLayerDescriptor>',
      root('<se:Name ogc:x="1">a</se:Name><sld:Rule/>'),
      '<sld:StyledLayerDescriptor/>',
      `\ufeff<?xml version="1.0"?><!-- a --><?b c?>${root('ж')}<!-- d -->`,
      utf16(`\ufeff${declared('UTF-16', 'ж')}`, false),
      utf16(`\ufeff${declared('UTF-16', 'ж')}`, true),
      Uint8Array.from(windows1251(declared('windows-1251', 'Степь'))),
      ...(await Promise.all(real.map(async (name) => await repositoryFile(`test/fixtures/sld/${name}`)))),
    ].map((content) => (content instanceof File ? content : styleOf(content)))) {
      await client.expect(200, 'POST', path, { form: { file } });
      assert.ok((await fetchBytes(client, 200, path)).bytes.equals(await bytesOf(file)), await file.text());
    }
  },
);

claim(
  [
    'D5 refused | D5 root | D5 DOCTYPE | D5 encodings',
    '4.4 POST sld | 4.3 POST sld 422 | 4.3 GET sld 404 | 7 404 SLD | 7 422 input',
  ],
  'what has another root, is not well-formed, has a DOCTYPE or an unknown encoding is 422 on file, and not stored',
  async (client) => {
    for (const [content, message] of [
      ['<FeatureTypeStyle/>', /FeatureTypeStyle/],
      ['', /./],
      ['<StyledLayerDescriptor><a></StyledLayerDescriptor>', /./],
      [root() + root(), /./],
      [root('&nope;'), /./],
      [`<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${root('&f;')}`, /DOCTYPE/],
      [Uint8Array.from(windows1251(root('Степь'))), /./],
      [declared('klingon'), /klingon/],
    ] as const) {
      for (const path of await plain(client)) {
        const said = await client.invalid(['file'], 'POST', path, { form: { file: styleOf(content) } });
        assert.match(said['file'] ?? '', message);
        await client.refused(404, 'GET', path);
      }
    }
  },
);

claim(
  ['D5 size', '4.4 POST sld | 4.3 POST sld extensions | 4.3 POST sld 422'],
  'a style is one file of 5 MiB at most, an .sld or .xml in any case, and no other',
  async (client) => {
    const path = `/dataset-groups/${(await makeGroup(client)).id}/sld`;
    for (const name of ['a.SLD', 'a.Xml'])
      await client.expect(200, 'POST', path, { form: { file: styleOf(root(), name) } });
    const largest = 5 * 1024 * 1024;
    const exact = root(`<!--${'x'.repeat(largest - root('<!---->').length)}-->`);
    await client.invalid(['file'], 'POST', path, { form: { file: styleOf(`${exact}\n`) } });
    await client.expect(200, 'POST', path, { form: { file: styleOf(exact) } });
    assert.equal((await fetchBytes(client, 200, path)).bytes.length, largest);
    const names = ['a.txt', 'a', 'a.sld.zip', 'sld', 'a.qml'];
    for (const refusing of await plain(client)) {
      for (const parts of [
        ...names.map((name) => [['file', styleOf(root(), name)] as const]),
        [['other', 'x'] as const],
        [['file', root()] as const],
        [styleOf(root()), styleOf(root())].map((file) => ['file', file] as const),
      ]) {
        await client.invalid(['file'], 'POST', refusing, { parts });
      }
    }
  },
);

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
    // Changing the group does not change its style.
    const json = { code: previous.code, name: 'after' };
    const changed = await client.read<GroupBody>(200, 'PUT', path, { json });
    assert.deepEqual(changed, { ...previous, name: 'after', updated_at: changed.updated_at });
  },
);
