import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import type { Client } from '../../client.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { type DatasetState, getDataset, makeTable, map, settle, upload } from '../../support/datasets.ts';
import { readDescription } from '../../support/description.ts';
import { collection, featureFile, geojsonFile, point, tiffFile } from '../../support/files.ts';
import { failedRaster, readyOnes, sharedRaster, unmappedTable } from '../../support/shared.ts';

const states = ['pending', 'processing', 'parsing', 'awaiting_mapping', 'extracting', 'ready', 'failed'];

/** Returns the status for a query, and the seconds until it was answered. */
async function askStatus({ get }: Client, id: string, query: string) {
  const began = performance.now();
  const state = await get<DatasetState>(`/datasets/${id}/status?${query}`);
  return { state, seconds: (performance.now() - began) / 1000 };
}

/** States that a client sees a dataset go through, starting with the known one. */
async function seenFrom(client: Client, id: string, known: string): Promise<string[]> {
  const seen = [known];
  for (;;) {
    const current = seen.at(-1) ?? known;
    if (['awaiting_mapping', 'ready', 'failed'].includes(current)) return seen;
    const path = `/datasets/${id}/status?current=${current}&wait=60`;
    const { status } = await client.get<DatasetState>(path);
    assert.ok(states.includes(status), status);
    if (status !== current) seen.push(status);
  }
}

/** Asserts that `seen` is `whole`, possibly without some intermediate states. */
function assertAlong(seen: readonly string[], whole: readonly string[]): void {
  assert.deepEqual(
    seen,
    whole.filter((state) => seen.includes(state)),
    seen.join(),
  );
  assert.deepEqual([seen.at(0), seen.at(-1)], [whole.at(0), whole.at(-1)]);
}

claim(
  [
    'D3 statuses vector, raster',
    '3.1 lifecycle',
    '3.1 states',
    '2.3 DatasetStatus',
    '1.3 polling',
    '6 polling',
  ],
  'vectors and rasters go from pending over processing to ready',
  async (client) => {
    const files = [tiffFile({ width: 8, height: 8, corner: [70, 50] }), featureFile(point(1, 2))];
    for (const file of files) {
      const { id } = await upload(client, file);
      assertAlong(await seenFrom(client, id, 'pending'), ['pending', 'processing', 'ready']);
    }
  },
);

claim(
  ['D3 statuses table', '3.1 lifecycle', '3.1 states', '3.1 mapping', '3.1 re-map', '2.3 DatasetStatus'],
  'a table goes from pending over parsing to awaiting_mapping, and with each mapping over extracting to ready',
  async (client) => {
    const rows = [{ properties: { kato: '710000000', y: 1 }, geometry: null }];
    const { id } = await upload(client, geojsonFile(collection(rows)), { file_type: 'vector_with_kato' });
    assertAlong(await seenFrom(client, id, 'pending'), ['pending', 'parsing', 'awaiting_mapping']);
    for (const start_date of ['2020-01-01', '2021-01-01']) {
      const json = { kato_column: 'kato', year_columns: [{ column: 'y', start_date }] };
      assert.equal(
        (await client.read<DatasetState>(200, 'POST', `/datasets/${id}/mapping`, { json })).status,
        'extracting',
      );
      assertAlong(await seenFrom(client, id, 'extracting'), ['extracting', 'ready']);
    }
  },
);

claim(['3.1 failure', '3.1 lifecycle'], 'a file that cannot be read goes to failed', async (client) => {
  const { id } = await upload(client, new File(['MM\0* nothing'], 'a.tif'));
  assertAlong(await seenFrom(client, id, 'pending'), ['pending', 'processing', 'failed']);
  const { parse_error } = await getDataset(client, id);
  const state = await client.get<DatasetState>(`/datasets/${id}/status`);
  assert.deepEqual(state, { id, status: 'failed', parse_error });
  assert.ok(parse_error);
});

claim(
  ['4.4 status', '4.4 status current', '4.4 status held', '4.4 status wait'],
  'the status is told at once without current, with another one and with a wait of 0, else when wait is up',
  async (client) => {
    for (const { id, status } of [...(await readyOnes(client)), await unmappedTable(client)]) {
      const others = states.filter((state) => state !== status).map((state) => `current=${state}&wait=60`);
      for (const query of ['wait=60', ...others.slice(0, 2), `current=${status}&wait=0`]) {
        const { state, seconds } = await askStatus(client, id, query);
        assert.deepEqual(state, { id, status, parse_error: null });
        assert.ok(seconds < 30);
      }
    }
    const { id } = await sharedRaster(client);
    const held = await askStatus(client, id, 'current=ready&wait=2');
    assert.deepEqual(held.state, { id, status: 'ready', parse_error: null });
    assert.ok(held.seconds > 1.9);
  },
);

claim(
  ['4.4 status wait', '8 wait'],
  'wait is 0 to 60 seconds, 25 by default; so it is described',
  async (client) => {
    const { id } = await failedRaster(client);
    for (const wait of [0, 1, 59, 60]) await client.expect(200, 'GET', `/datasets/${id}/status?wait=${wait}`);
    const { paths } = await readDescription(client);
    const parameters = paths['/datasets/{id}/status']?.['get']?.parameters ?? [];
    const { minimum, maximum, default: usual } = parameters.find(({ name }) => name === 'wait')?.schema ?? {};
    assert.deepEqual([minimum, maximum, usual], [0, 60, 25]);
    const { seconds } = await askStatus(client, id, 'current=failed');
    assert.ok(seconds > 24.5 && seconds < 50, `${seconds} s`);
  },
);

claim(
  ['4.4 status held', '4.4 status'],
  'a request that is held hears of the change, one that names the old status with it, and is 404 when the dataset is deleted',
  async (client) => {
    const { id } = await makeTable(client, [{ kato: '710000000', y: 1 }]);
    const waiting = [1, 2, 3].map(
      async () => await client.expect(200, 'GET', `/datasets/${id}/status?current=awaiting_mapping&wait=60`),
    );
    await map(client, id, 'kato', [{ column: 'y', start_date: '2020-01-01' }]);
    for (const answer of await Promise.all(waiting)) {
      assert.ok(['extracting', 'ready'].includes(answer.read<DatasetState>().status), answer.text);
    }
    assert.equal((await settle(client, id)).status, 'ready');
    const held = client.refused(404, 'GET', `/datasets/${id}/status?current=ready&wait=60`);
    await client.expect(204, 'DELETE', `/datasets/${id}`);
    await held;
  },
);

checkedElsewhere('src/datasets/routes/progress.test.ts', {
  'the progress of a file is kept while it is read, and changes nothing else of its dataset': ['D3 progress'],
  'datasets and their status show the progress while the file is read, and not after': ['D3 progress'],
});
