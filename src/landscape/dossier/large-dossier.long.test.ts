import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { verify } from '../../commands/verify.ts';
import { leaves } from '../model/leaves.ts';
import { GiB, MiB } from '../../lib/units.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { runHere } from '../../../test/support/tools/commands.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';

const largeBytes = 4 * GiB + 512 * MiB;
const zeros = Buffer.alloc(MiB);
/** Memory of the api and its client, which share this process, with a young heap of up to 192 MiB; the file has 4.5 GiB. */
const mostMoreMemory = 384 * MiB;

const runs = await closeAfterTests(startRuns({ districts: true }));
for (const { key } of leaves) await runs.fill(key);
const run = await runs.execute();
const app = await closeAfterTests(
  startTestApp({
    databaseTarget: runs.target,
    storeFolder: runs.store.root,
    messageQueue: runs.messageQueue,
  }),
);
const folder = await temporaryFolder();

/** Replaces the file of an output with 4.5 GiB of zeros, in the store and in its ledger. */
async function enlarge(code: string): Promise<void> {
  const { output_id: id } = await runs.db
    .selectFrom('landscape_run_nodes')
    .select('output_id')
    .where('run_id', '=', run.id)
    .where('node_code', '=', code)
    .executeTakeFirstOrThrow();
  const { object_key: key } = await runs.db
    .selectFrom('dataset_files')
    .select('object_key')
    .where('dataset_id', '=', id)
    .where('kind', '=', 'cog')
    .executeTakeFirstOrThrow();
  await truncate(join(runs.store.root, key), 0);
  await truncate(join(runs.store.root, key), largeBytes);
  const hash = createHash('sha256');
  for (let done = 0; done < largeBytes; done += MiB) hash.update(zeros);
  const facts = { sha256: hash.digest(), size_bytes: largeBytes };
  await runs.db.updateTable('objects').set(facts).where('key', '=', key).execute();
}

test('a dossier of more than 4 GiB is sent in bounded memory, and examined', async () => {
  const path = `${app.baseUrl}/landscape/runs/${run.id}/dossier.zip?with=cogs`;
  const worker = runs.start();
  while ((await fetch(path, { method: 'HEAD' })).status === 202);
  await worker.stop();
  await enlarge('33');

  const before = process.memoryUsage().rss;
  const answer = await fetch(path);
  assert.equal(answer.status, 200);
  const file = join(folder, 'dossier.zip');
  let [most, size] = [before, 0];
  {
    await using written = await open(file, 'w');
    for await (const chunk of answer.body ?? []) {
      // Zeros are left out, so that the file is sparse.
      if (!zeros.subarray(0, chunk.length).equals(chunk)) await written.write(chunk, 0, chunk.length, size);
      size += chunk.length;
      most = Math.max(most, process.memoryUsage().rss);
    }
    await written.truncate(size);
  }
  assert.equal(size, Number(answer.headers.get('content-length')));
  assert.equal((await stat(file)).size, size);
  assert.ok(size > largeBytes);
  const { code, output } = await runHere(verify, [file], {});
  assert.equal(code, 3, output); // whole and unsigned
  most = Math.max(most, process.memoryUsage().rss);
  assert.ok(most - before < mostMoreMemory, `${Math.round((most - before) / MiB)} MiB more`);
});
