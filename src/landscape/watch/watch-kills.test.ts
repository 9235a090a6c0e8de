import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { seedLandscape } from '../groups/seed.ts';
import { createZonedRuns } from '../balance/zoned-runs.ts';
import { leaves } from '../model/leaves.ts';
import { checkInputs } from './check-inputs.ts';
import { switchOn } from './settings.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { insertCategory } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { oneOf, randomOf } from '../../../test/support/landscape/plan-changes.ts';
import { createPretendedRuns, silentQueue } from '../../../test/support/landscape/pretended-runs.ts';
import { groupId, insertRaster } from '../../../test/support/geo/rasters.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { isTimeUp, repetitions } from '../../../test/support/tier.ts';

const program = fileURLToPath(new URL('watch-program.for-tests.ts', import.meta.url));
const { db, target } = await closeAfterTests(openTestDatabase());
const objectStore = await closeAfterTests(openTestStore());
await seedLandscape({ db, objectStore });
const category_id = await insertCategory(db);
const runs = createPretendedRuns(db, category_id);
const zonedRuns = createZonedRuns({ db, messageQueue: silentQueue });
const kills = repetitions('STEPPE_WATCH_KILLS', 2, 20);

const add = async (group: string) => await insertRaster(db, { dg_id: await groupId(db, group), category_id });

test('a worker that is killed at any moment leaves one draft of the same inputs, whole', async () => {
  const random = randomOf(20);
  for (const { group } of leaves) await add(group);
  await runs.run();
  await switchOn(db, { on: 'input', hold: 'PT0S' }, 'en');
  for (let kill = 1; kill <= kills; kill += 1) {
    const worker = spawn(process.execPath, [program, JSON.stringify(target)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(worker, 'exit');
    await once(worker.stdout, 'data');
    await add(oneOf(random, leaves).group);
    await sleep(random() * 60);
    worker.kill('SIGKILL');
    await ended;
    const look = async () => await checkInputs({ db, messageQueue: silentQueue, zonedRuns });
    const draftsNow = async () =>
      await db.selectFrom('landscape_watch_drafts').select('run_id').orderBy('made_at').execute();
    // The database may detect late that the worker has died, and releases the watch only then.
    await eventually('a draft', async () => {
      await look();
      return (await draftsNow()).length >= kill;
    });
    await look();
    const drafts = await draftsNow();
    assert.equal(drafts.length, kill, `after ${kill} kills`);
    const id = drafts.at(-1)?.run_id ?? assert.fail();
    const whole = {
      queued: await db.selectFrom('landscape_runs').select('id').where('status', '=', 'queued').execute(),
      jobs: await db.selectFrom('jobs').select('ref_id as id').where('ref_id', '=', id).execute(),
      records: await db
        .selectFrom('landscape_run_records')
        .select('run_id as id')
        .where('run_id', '=', id)
        .execute(),
    };
    assert.deepEqual(whole, { queued: [{ id }], jobs: [{ id }], records: [{ id }] });
    assert.equal(await runs.begin(id), undefined);
    await runs.finish(id);
    if (isTimeUp()) return;
  }
});
