import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import { groupOf, nodeCodes } from '../../acceptance/support/graph.ts';
import { assertComputed, createLandscapeClient, golden, leaves } from '../../support/landscape.ts';
import { afterTests } from '../../support/for-tests.ts';
import { eventually } from '../../support/processes.ts';
import { openDataDir, startService } from '../../support/service.ts';

interface Group {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly sld_filename: string | null;
}

const isSlot = ({ code }: { readonly code: string }) => code.startsWith('landscape-in-');

const dataDir = await openDataDir();
const start = async () => await startService({ dataDir, env: { LOG_LEVEL: 'warn' } });
let service = await start();
let client = createLandscapeClient(service.baseUrl);
afterTests(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true });
});

describe('the groups of the Landscape Program', () => {
  let seeded: readonly Group[];

  const listGroups = async () => {
    const { body } = await client.json<{ data: Group[] }>('/dataset-groups?page_size=100');
    return body.data.filter(({ code }) => code.startsWith('landscape-'));
  };
  const remove = async (path: string) => (await fetch(service.baseUrl + path, { method: 'DELETE' })).status;
  const statuses = async () => [
    (await client.json('/landscape/slots')).status,
    (await client.json('/landscape/results')).status,
  ];
  const uploadStatus = async (code: string) => {
    const form = new FormData();
    form.append('file', await golden('dem'));
    return (await client.json(`/landscape/slots/${code}`, { method: 'POST', body: form })).status;
  };
  /** The fields of groups that stay when a group is made again. */
  const facts = (groups: readonly Group[]) =>
    groups.map(({ code, name, description, sld_filename: sld }) => ({ code, name, description, sld }));

  before(async () => {
    seeded = await listGroups();
    assert.equal(seeded.length, 32);
  });

  test('each of them that is missing is missed by those who list it, until there is one with its code', async () => {
    for (const { id, code, name } of seeded) {
      assert.equal(await remove(`/dataset-groups/${id}`), 204, code);
      assert.deepEqual(await statuses(), isSlot({ code }) ? [404, 200] : [200, 404], code);
      assert.equal(await uploadStatus(code), 404, code);
      const body = JSON.stringify({ code, name });
      assert.equal((await client.json('/dataset-groups', { method: 'POST', body })).status, 201, code);
      assert.deepEqual(await statuses(), [200, 200], code);
    }
  });

  test('one that was deleted stays away when a worker starts', async () => {
    const [group] = (await listGroups()).filter((each) => !isSlot(each));
    assert.equal(await remove(`/dataset-groups/${group?.id}`), 204);
    const killed = await service.workerPid();
    process.kill(killed, 'SIGKILL');
    await eventually('another worker', async () => (await service.workerPid()) !== killed);
    const run = await client.finished((await client.start()).id); // so that it surely has started
    assert.equal(run.status, 'failed');
    assert.deepEqual(await statuses(), [200, 404]);
  });

  test('all of them are back after a restart, with their names and legends', async () => {
    for (const { id } of await listGroups()) assert.equal(await remove(`/dataset-groups/${id}`), 204);
    const run = await client.finished((await client.start()).id);
    const slots = leaves.map((leaf) => `landscape-in-${leaf}`).join(', ');
    assert.equal(run.error, `01: no ready raster for input groups: ${slots}`);
    assert.deepEqual(await statuses(), [404, 404]);
    assert.equal(await service.stop(), 0);
    service = await start();
    client = createLandscapeClient(service.baseUrl);
    assert.deepEqual(facts(await listGroups()), facts(seeded));
    assert.ok(seeded.every((group) => isSlot(group) === (group.sld_filename === null)));
    assert.deepEqual(await statuses(), [200, 200]);
  });

  test('a slot upload makes the category again, a run the output groups that it fills', async () => {
    const find = async () => {
      const { body } = await client.json<{ id: string; code: string }[]>('/categories');
      return body.find(({ code }) => code === 'landscape');
    };
    assert.equal(await remove(`/categories/${(await find())?.id}`), 204);
    await client.fillAll();
    assert.ok((await find()) !== undefined);
    for (const group of await listGroups()) {
      if (!isSlot(group)) assert.equal(await remove(`/dataset-groups/${group.id}`), 204);
    }
    assertComputed(await client.run(), nodeCodes);
    const { body: results } = await client.json<{ group: string; latest: unknown }[]>('/landscape/results');
    assert.deepEqual(
      results.filter(({ latest }) => latest !== null).map(({ group }) => group),
      nodeCodes.map(groupOf),
    );
  });
});
