import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { type CategoryBody, unique, unreadable } from '../../support/catalogue.ts';
import { type Dataset, getDataset, settle, discard } from '../../support/datasets.ts';
import { leaves, nodes } from '../../support/graph.ts';
import {
  fillSlot,
  goldenFile,
  goldenPins,
  listSlots,
  nodeOf,
  planRun,
  removeAtEnd,
  sendToSlot,
  slotOf,
} from '../../support/landscape.ts';
import { readCog } from '../../support/rasters.ts';
import { assertKeys, summaryFields } from '../../support/errors.ts';
import { lowerCaseUuid } from '../../support/values.ts';
import { readReport } from '../../support/geojson.ts';

/** Later than all dates of other claims in this slot. */
const future = '9998-12-31';

async function readLatest(client: Client, key: string): Promise<string | undefined> {
  return (await slotOf(client, key)).latest?.id;
}

claim(
  [
    '4.5 GET slots | 2.6 LandscapeSlot | 2.6 LandscapeSlot.code | 2.6 LandscapeSlot.title | 2.6 LandscapeSlot.latest',
    ...leaves.map(({ key }) => `L2 ${key}`),
  ],
  'there are 13 slots, in the order of the graph, each of four fields, latest null or a summary of a dataset',
  async (client) => {
    const slots = await listSlots(client);
    assert.deepEqual(
      slots.map(({ code, title }) => [code, title]),
      leaves.map(({ code, title }) => [code, title]),
    );
    for (const slot of slots) {
      assertKeys(slot, ['code', 'group_id', 'latest', 'title']);
      assert.match(slot.group_id, lowerCaseUuid);
      if (slot.latest !== null) assertKeys(slot.latest, summaryFields);
    }
  },
);

claim(
  ['4.5 POST slots', '4.5 rule 1', '1.5 slots', '4.5 POST slots name', '4.5 POST slots start_date'],
  "an upload is a pending raster of the slot's group, in the category landscape",
  async (client) => {
    const form = { file: await goldenFile('pet'), start_date: '0100-01-01', end_date: '0100-01-01' };
    const answer = await client.expect(201, 'POST', '/landscape/slots/landscape-in-pet', { form });
    const dataset = answer.read<Dataset>();
    assert.equal(answer.headers.get('location'), `/datasets/${dataset.id}`);
    const categories: readonly CategoryBody[] = await client.get('/categories');
    assert.equal(dataset.category_id, categories.find(({ code }) => code === 'landscape')?.id);
    assert.equal(dataset.dg_id, (await slotOf(client, 'pet')).group_id);
    const { file_type, status, automated, name, filename, start_date, end_date } = dataset;
    assert.deepEqual(
      [file_type, status, automated, name, filename, start_date, end_date],
      ['raster', 'pending', false, 'pet.tif', 'pet.tif', '0100-01-01', '0100-01-01'],
    );
    assert.ok(!('bbox' in dataset));
  },
);

claim(
  ['4.5 rule 1', '4.5 POST slots file'],
  'an upload becomes a COG with the pixels that were sent, and keeps the file',
  async (client) => {
    const file = await goldenFile('distance-road');
    const id = await fillSlot(client, 'distance-road', file);
    const { status, bbox, size_bytes, unit } = await getDataset(client, id);
    assert.deepEqual([status, bbox?.length, size_bytes, unit], ['ready', 4, file.size, null]);
    const raster = await readCog(client, id);
    const sent = [
      300, 700, 2500, 6000, 400, 12_000, 1200, 4000, 1500, 11_000, 800, 3000, 100, 15_000, 2000, 9000,
    ];
    assert.deepEqual([raster.width, raster.height, raster.values], [4, 4, sent]);
  },
);

claim(
  ['4.5 POST slots', '4.5 POST slots name', 'D6 slot rules'],
  'a name that is sent is the name, in any alphabet; empty optional parts count as not sent, other parts change nothing and may repeat',
  async (client) => {
    const others =
      'file_type=vector&category_id=none&category_id=none&dg_id=none&unit=m&meta=[&automated=perhaps';
    const { group_id } = await slotOf(client, 'ndvi');
    for (const name of [unique('Дорога'), '']) {
      const known = Object.entries({ name, start_date: '', end_date: '', file: unreadable.raster });
      const made = await client.read<Dataset>(201, 'POST', '/landscape/slots/landscape-in-ndvi', {
        parts: [...new URLSearchParams(others), ...known],
      });
      const { file_type, unit, meta, automated, dg_id, start_date, end_date } = made;
      const read = [made.name, start_date, end_date, file_type, unit, meta, automated, dg_id];
      const expected = [name || 'unreadable.tif', null, null, 'raster', null, null, false, group_id];
      assert.deepEqual(read, expected);
      await discard(client, made);
    }
  },
);

claim(
  ['2.6 LandscapeSlot.latest', '4.5 rule 3 freshest', '4.5 POST slots end_date', '1.4 groups'],
  'latest is the dataset with the greatest end_date in any status, while runs read the freshest that is ready',
  async (client) => {
    await using made = removeAtEnd(client);
    const file = await goldenFile('snow-depth');
    const ready = made.add(await fillSlot(client, 'snow-depth', file, { end_date: '9998-12-30' }));
    const failed = await sendToSlot(client, 'snow-depth', unreadable.raster, { end_date: future });
    made.add(failed.id);
    assert.equal((await settle(client, failed.id)).status, 'failed');
    const { latest } = await slotOf(client, 'snow-depth');
    assert.deepEqual([latest?.id, latest?.status, latest?.end_date], [failed.id, 'failed', future]);
    const { 'landscape-in-snow-depth': _own, ...overrides } = await goldenPins(client);
    const plan = await planRun(client, { overrides });
    const read = nodeOf(plan, '22').inputs?.find(({ group }) => group === 'landscape-in-snow-depth');
    assert.equal(read?.dataset_id, ready);
  },
);

claim(
  ['2.6 LandscapeSlot.latest', '4.5 POST slots end_date'],
  'of two that end on the same day the one that was sent last is the freshest',
  async (client) => {
    await using made = removeAtEnd(client);
    for (let count = 0; count < 2; count += 1) {
      const { id } = await sendToSlot(client, 'temperature-sum', unreadable.raster, { end_date: future });
      assert.equal(await readLatest(client, 'temperature-sum'), made.add(id));
    }
  },
);

claim(
  ['D6 undated', '4.5 POST slots end_date'],
  'an upload without end_date never outranks one with it, and its report warns of that',
  async (client) => {
    await using made = removeAtEnd(client);
    const file = await goldenFile('soil-salinity');
    const fields = { end_date: future, name: 'that of the far future' };
    const dated = made.add(await fillSlot(client, 'soil-salinity', file, fields));
    const undated = await fillSlot(client, 'soil-salinity', file);
    assert.equal(await readLatest(client, 'soil-salinity'), dated);
    const { warnings } = await readReport(client, undated);
    const warning = warnings.find(({ code }) => code === 'not_freshest');
    assert.match(warning?.message ?? '', /^Not the freshest of this slot\b/);
    assert.match(warning?.message ?? '', /that of the far future.*9998-12-31/);
    const own = (await client.expect(200, 'GET', `/datasets/${dated}/report`)).text;
    assert.doesNotMatch(own, /not_freshest/);
  },
);

claim(
  ['4.5 POST slots file', 'L8.2 422', 'L8.2 bytes', 'L8.2 content'],
  'the extension may be in any case, and the content anything after a beginning of a TIFF',
  async ({ expect }) => {
    for (const [name, bytes] of [
      ['a.TIF', 'MM\0*'],
      ['a.Tiff', 'II+\0'],
    ] as const) {
      const file = new File([bytes, 'anything'], name);
      await expect(201, 'POST', '/landscape/slots/landscape-in-precipitation', { form: { file } });
    }
  },
);

claim(
  ['4.5 POST slots 404', 'L8.2 404', 'D1 404', '7 404 slot'],
  'a code that no slot has is 404, be it that of an output or of another group, also when the form is not valid',
  async (client) => {
    const others = ['nothing', 'landscape', 'dem', 'LANDSCAPE-IN-DEM', 'landscape-in-dem%20', '%20'];
    for (const code of [...others, nodes[0]?.group]) {
      for (const form of [{ file: unreadable.raster }, { name: ' ', end_date: 'x' }]) {
        await client.refused(404, 'POST', `/landscape/slots/${code}`, { form });
      }
    }
  },
);

checkedElsewhere('src/landscape/groups/groups.test.ts', {
  'a missing group makes the list of slots or results 404 until there is one with its code': [
    '4.5 GET slots 404',
    '4.5 GET results 404',
    '4.5 POST slots 404',
  ],
});
