import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { openGdalChildren } from '../../../src/geo/parent/children.ts';
import { TableResult } from '../../../src/geo/protocol.ts';
import { GiB, MiB } from '../../../src/lib/units.ts';
import { createClient } from '../../support/client.ts';
import { afterTests, closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { fixture } from '../../support/geo/engine.ts';
import { eventually } from '../../support/processes.ts';
import { assertNoDamage, startService } from '../../support/service.ts';
import { type Bomb, emptyCountry, endlessView, quickBombs } from './bomb-files.ts';
import { endOf, isEnded } from './ends.ts';
import { enginesOf, watchDiskUse } from './watching.ts';

/** Limit for uploads, scratch folders and results together; the uploads alone take 50 MiB. */
const mostOnDisk = 2 * GiB;
/** Limit for the api and for the worker, each. */
const mostMemory = 512 * MiB;

const honestFiles = [
  { fileType: 'raster', path: fixture('raster/srtm_zion.tif'), end: 'ready' },
  { fileType: 'vector', path: fixture('vector/nybb_epsg2263.zip'), end: 'ready' },
  { fileType: 'vector_with_kato', path: fixture('kato/doctors_by_region.geojson'), end: 'awaiting_mapping' },
  { fileType: 'vector', path: fixture('vector/multi_layer.gpkg'), end: 'ready' },
] as const;

const folder = await temporaryFolder();
const service = await closeAfterTests(startService({ env: { WORKER_CONCURRENCY: '2' } }));
const workerPid = await service.workerPid();
const disk = watchDiskUse(['objects', 'scratch'].map((name) => join(service.dataDir, name)));
afterTests(async () => await disk.stop());

describe('bombs for every worker', () => {
  /** Dataset ids by upload, in this order. */
  const [long, quick, honest] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];

  before(async () => {
    const categoryId = await createClient(service.baseUrl).createCategory('bombs');
    const upload = async ({ fileType, filename, bytes }: Omit<Bomb, 'name'>) =>
      await createClient(service.baseUrl).upload(categoryId, fileType, new File([bytes], filename));

    for (const index of [0, 1]) long.set(`endless ${index}`, await upload(endlessView(folder)));
    for (const id of long.values())
      await eventually('it is read', async () => (await stateOf(id)).status === 'parsing');
    long.set('country', await upload(emptyCountry()));
    for (const [index, bomb] of quickBombs().entries()) {
      quick.set(bomb.name, await upload(bomb));
      const file = honestFiles[index];
      if (file === undefined) continue;
      const bytes = Buffer.from(await readFile(file.path));
      honest.set(
        `${index} ${basename(file.path)}`,
        await upload({ ...file, filename: basename(file.path), bytes }),
      );
    }
  });

  const stateOf = async (id: string) => await createClient(service.baseUrl).status(id);

  it('leave honest uploads flowing', async () => {
    for (const [name, id] of honest) {
      const { end } = honestFiles.find(({ path }) => name.endsWith(basename(path))) ?? honestFiles[0];
      assert.equal((await endOf(service.baseUrl, id)).status, end, name);
    }
    for (const [name, id] of long) assert.ok(!isEnded(await stateOf(id)), `${name} was over before them`);
  });

  it('end with a sentence', async () => {
    for (const [name, id] of quick) {
      const { status, parse_error } = await endOf(service.baseUrl, id);
      assert.equal(status, 'failed', name);
      assert.match(parse_error ?? '', /^\p{Lu}[^\n]{10,400}\.$/u, name);
    }
  });

  it('are over when they are deleted, with all processes and files of theirs', async () => {
    assert.ok((await enginesOf(workerPid)).length > 0);
    for (const id of long.values()) {
      const { status } = await fetch(`${service.baseUrl}/datasets/${id}`, { method: 'DELETE' });
      assert.equal(status, 204);
    }
    await eventually('no child is left', async () => (await enginesOf(workerPid)).length === 0);
    const scratch = join(service.dataDir, 'scratch');
    await eventually('scratch is empty', async () => (await readdir(scratch)).length === 0);
  });

  it('neither end api or worker nor fill their memory or the disk', async () => {
    assert.equal((await fetch(`${service.baseUrl}/healthz`)).status, 200);
    assert.equal(await service.workerPid(), workerPid);
    for (const pid of [service.pid, workerPid]) {
      const bytes = await mostMemoryOf(pid);
      assert.ok(bytes > 0 && bytes < mostMemory, String(bytes));
    }
    const bytes = await disk.stop();
    assert.ok(bytes > 20 * MiB && bytes < mostOnDisk, String(bytes));
  });

  it('leave a store without damage', async () => {
    await assertNoDamage(service.dataDir);
  });
});

describe('a view without end', () => {
  it('is stopped by the limit of processor time', async () => {
    const scratch = await mkdtemp(join(folder, 'scratch-'));
    const inputPath = join(folder, 'endless.gpkg');
    await writeFile(inputPath, endlessView(folder).bytes);
    const log = { info: () => undefined, warn: () => undefined };
    const children = await openGdalChildren({ deadlineSeconds: 120, log });
    const reply = await children.run({
      entry: new URL('../../../src/geo/child/main.ts', import.meta.url),
      request: { task: 'table', inputPath, scratch },
      result: TableResult,
      drivers: 'vector',
      inputs: [inputPath],
      folders: [scratch],
      limits: { cpuSeconds: 3 },
      signal: new AbortController().signal,
    });
    assert.deepEqual(reply, { outcome: 'overdue', by: 'processor time' });
  });
});

/** Peak memory of a process. */
async function mostMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
