import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { goldenPins, listRuns, outputOf, startRun, succeed } from '../support/landscape.ts';
import { degreesRun } from '../support/golden.ts';

interface Content {
  readonly name: string | null;
  readonly note: string | null;
  readonly state: 'draft' | 'proposed' | 'adopted' | 'withdrawn';
  readonly basis: string | null;
}
interface RunRecord extends Content {
  readonly run_id: string;
  readonly revision: number;
  readonly changed_by: string | null;
  readonly changed_at: string | null;
}
interface Change {
  readonly revision: number;
  readonly from: Content;
  readonly to: Content;
  readonly changed_by: string | null;
  readonly changed_at: string;
}
interface Step {
  readonly dataset_id: string;
  readonly group: string | null;
  readonly node: string | null;
  readonly run_id: string | null;
  readonly is_deleted: boolean;
  readonly sha256: string | null;
  readonly inputs: readonly string[];
}

const empty: Content = { name: null, note: null, state: 'draft', basis: null };
const pathOf = (run: string) => `/landscape/runs/${run}/record`;

async function put(
  client: Client,
  run: string,
  json: object,
  headers: Readonly<Record<string, string>> = {},
) {
  return await client.expect(200, 'PUT', pathOf(run), { json, headers });
}

claim(
  ['D7 record | D7 record ETag | D7 record change | D7 record history | D7 record lists', 'D7 record author'],
  'what people say of a run is replaced as a whole, revision by revision, and all of it stays in the history',
  async (client) => {
    const { id } = await succeed(client, { overrides: await goldenPins(client) });
    const path = pathOf(id);
    const first = await client.expect(200, 'GET', path);
    assert.equal(first.headers.get('etag'), '"0"');
    assert.deepEqual(first.read(), { run_id: id, ...empty, revision: 0, changed_by: null, changed_at: null });
    const said: Content = { name: 'Вариант Б', note: 'Строгий', state: 'proposed', basis: '№ 16/8' };
    const sent = { ...said, changed_by: 'Minister' };
    const changed = await put(client, id, sent, { 'if-match': '"0"' });
    assert.equal(changed.headers.get('etag'), '"1"');
    const { changed_at: changedAt, ...record } = changed.read<RunRecord>();
    assert.deepEqual(record, { run_id: id, ...said, revision: 1, changed_by: null });
    assert.match(changedAt ?? '', /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual((await put(client, id, sent)).read(), changed.read());
    await client.refused(412, 'PUT', path, { json: {}, headers: { 'if-match': '"0"' } });
    await client.expect(304, 'GET', path, { headers: { 'if-none-match': '"1"' } });
    const { record: shown } = await client.get<{ record: object }>(`/landscape/runs/${id}`);
    assert.deepEqual(shown, { name: said.name, state: said.state });
    for (const [state, isListed] of [
      ['proposed', true],
      ['draft', false],
    ] as const) {
      const { data } = await listRuns(client, `?page_size=100&state=${state}`);
      assert.equal(
        data.some((run) => run.id === id),
        isListed,
      );
    }
    assert.equal((await put(client, id, { note: ' ' })).read<RunRecord>().revision, 2);
    const unnamed = { ...empty, state: said.state };
    const { data, total } = await client.get<{ data: Change[]; total: number }>(`${path}/history`);
    assert.equal(total, 2);
    assert.deepEqual(
      data.map(({ revision, from, to }) => [revision, from, to]),
      [
        [2, said, unnamed],
        [1, empty, said],
      ],
    );
    await client.invalid(['name', 'state'], 'PUT', path, { json: { name: 'x'.repeat(256), state: 'final' } });
  },
);

claim(
  ['D7 adopted | D7 adopted only | D7 lineage | D7 lineage deleted'],
  'an adopted run keeps what it has read and made, and a lineage leads from its map to the uploads',
  async (client) => {
    const { run, pins } = await degreesRun(client);
    const dem = pins['landscape-in-dem'] ?? '';
    const zoning = outputOf(run, '34');
    await put(client, run.id, { name: 'Вариант Б', state: 'adopted' });
    for (const id of [dem, outputOf(run, '01'), zoning]) {
      assert.match(await client.refused(409, 'DELETE', `/datasets/${id}`), /the adopted run "Вариант Б"/);
    }
    const whole = await client.get<{ steps: Step[]; is_complete: boolean }>(`/datasets/${zoning}/lineage`);
    assert.equal(whole.is_complete, true);
    const ids = whole.steps.map(({ dataset_id: id }) => id);
    const all = [...Object.values(pins), ...run.nodes.map(({ node_code: code }) => outputOf(run, code))];
    assert.equal(ids[0], zoning);
    assert.deepEqual(
      ids.filter((id) => !all.includes(id)),
      [],
    );
    for (const [place, { inputs, sha256, node, run_id: by }] of whole.steps.entries()) {
      assert.match(sha256 ?? '', /^[0-9a-f]{64}$/);
      assert.equal(by, node === null ? null : run.id);
      for (const input of inputs) assert.ok(ids.indexOf(input) > place);
    }
    await put(client, run.id, { name: 'Вариант Б', state: 'withdrawn' });
    await client.expect(204, 'DELETE', `/datasets/${dem}`);
    const { steps } = await client.get<{ steps: Step[] }>(`/datasets/${zoning}/lineage`);
    const gone = steps.filter(({ is_deleted: isDeleted }) => isDeleted);
    assert.deepEqual(
      gone.map(({ dataset_id: id, group }) => [id, group]),
      [[dem, 'landscape-in-dem']],
    );
    const json = { state: 'adopted' };
    assert.match(await client.refused(409, 'PUT', pathOf(run.id), { json }), new RegExp(dem));
    await client.refused(404, 'GET', `/datasets/${dem}/lineage`);
  },
);

claim(['D7 adopted only'], 'a run that has not succeeded cannot be adopted', async (client) => {
  const { id } = await startRun(client, { overrides: await goldenPins(client), from_stage: 0 });
  await client.expect(204, 'DELETE', `/landscape/runs/${id}`);
  const reason = await client.refused(409, 'PUT', pathOf(id), { json: { state: 'adopted' } });
  assert.match(reason, /only a run that has succeeded/);
});

checkedElsewhere('test/landscape/run-records.test.ts', {
  'the author of a change is the name of the token': ['D7 record author'],
  'its record names the outputs whose style is another one than then': ['D7 adopted styles'],
  'either the run is adopted with all its datasets, or not': ['D7 adopted races'],
});

checkedElsewhere('test/landscape/lineage.test.ts', {
  'of more than 1,000 datasets has the nearest ones, and says so': ['D7 lineage bound'],
});
