import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteDataset } from '../../datasets/deletion/delete.ts';
import { EngineDied } from '../../geo/engine.ts';
import { inputSensitivityOf } from './input-moves.ts';
import type { LandscapeInputSensitivity } from './input-sensitivity-schema.ts';
import { leaves } from '../model/leaves.ts';
import { Problem } from '../../lib/errors.ts';
import { Message } from '../../lib/message.ts';
import { translate } from '../../messages/languages/translate.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { type Faults, startRuns } from '../../../test/support/landscape/runs.ts';

const runs = await closeAfterTests(startRuns());
const { db, messageQueue, engines } = runs;
const ids = new Map<string, string>();
for (const { key } of leaves) ids.set(key, await runs.fill(key));
const { id: runId } = await runs.execute();
const other = await runs.execute();

const ask = async (delta: number, id = runId, language: 'en' | 'ru' | 'kk' = 'en') =>
  await inputSensitivityOf({ db, messageQueue }, { runId: id, delta, language });

const answered = async (delta: number): Promise<LandscapeInputSensitivity> =>
  await eventually('the answer', async () => {
    const found = await ask(delta);
    return found.isPending ? undefined : found.answer;
  });

/** Computes the sensitivity with a worker. */
async function made(delta: number, faults: Faults = {}): Promise<LandscapeInputSensitivity> {
  const worker = runs.start(faults);
  try {
    return await answered(delta);
  } finally {
    await worker.stop();
  }
}

const jobs = async () =>
  await db.selectFrom('jobs').selectAll().where('kind', '=', 'move-inputs').orderBy('created_at').execute();

describe('the sensitivity of a zoning to its inputs', () => {
  test('is computed once, however many ask at once, and after children have died', async () => {
    const asked = await Promise.all([ask(10), ask(10), ask(10, other.id)]);
    assert.deepEqual(
      asked.map(({ isPending }) => isPending),
      [true, true, true],
    );
    assert.equal(new Set(asked.map((each) => (each.isPending ? each.ref : ''))).size, 1);
    assert.equal((await jobs()).length, 1);
    let deaths = 0;
    const answer = await made(10, {
      landscape: {
        async moveInputs(task) {
          if ((deaths += 1) <= 2) throw new EngineDied('by a test');
          return await engines.landscape.moveInputs(task);
        },
      },
    });
    assert.ok(deaths > 2);
    assert.equal(answer.sample.is_whole, true);
    assert.equal((await jobs()).length, 1);
    const ofOther = await ask(10, other.id);
    assert.deepEqual(ofOther, { isPending: false, answer: { ...answer, run_id: other.id } });
  });

  test('moves what is measured, names what is not moved, and puts the greatest change first', async () => {
    const { inputs, delta_percent: delta, node } = await made(10);
    assert.deepEqual([delta, node], [10, '34']);
    const leafOf = (group: string) => leaves.find((leaf) => leaf.group === group);
    const greatest = inputs.map(({ group, dataset_id: id, is_moved: isMoved, decreased, increased }) => {
      const leaf = leafOf(group);
      assert.equal(id, ids.get(leaf?.key ?? ''));
      assert.equal(isMoved, leaf?.type === 'float32');
      assert.equal(decreased === null, !isMoved);
      for (const each of [decreased, increased]) assert.equal(each?.standard_error ?? 0, 0);
      return Math.max(decreased?.changed_share ?? -1, increased?.changed_share ?? -1);
    });
    assert.equal(inputs.length, leaves.length);
    assert.deepEqual(
      greatest,
      greatest.toSorted((one, next) => next - one),
    );
    assert.ok((greatest[0] ?? 0) > 0);
  });

  test('titles inputs in the language of the client', async () => {
    const titles = await Promise.all(
      (['en', 'ru', 'kk'] as const).map(async (language) => {
        const found = await ask(10, runId, language);
        return found.isPending ? [] : found.answer.inputs.map(({ title }) => title);
      }),
    );
    assert.equal(new Set(titles.flatMap((each) => each)).size, 3 * leaves.length);
  });

  test('is handed over when a worker stops amid it', async () => {
    const begun = Promise.withResolvers<void>();
    const first = runs.start({
      landscape: {
        async moveInputs({ signal }) {
          begun.resolve();
          return await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        },
      },
    });
    assert.equal((await ask(20)).isPending, true);
    await begun.promise;
    await first.stop();
    assert.equal((await ask(20)).isPending, true);
    const answer = await made(20);
    assert.equal(answer.delta_percent, 20);
    assert.deepEqual((await jobs()).at(-1)?.state, 'done');
  });

  test('depends on the parameters, but not on the window', async () => {
    const windowed = await runs.execute({ params: { window_size: 512 } });
    const found = await ask(10, windowed.id);
    assert.equal(found.isPending, false);
    const strict = await runs.execute({ params: { v1_min_s_e3: 5 } });
    assert.equal((await ask(10, strict.id)).isPending, true);
  });

  test('says why it has none', async () => {
    const queued = await runs.create();
    await assert.rejects(ask(10, queued.id), { code: 'conflict' });
    await assert.rejects(ask(10, '00000000-0000-4000-8000-000000000000'), { code: 'not_found' });
    await deleteDataset({ db, objectStore: runs.store }, ids.get('ndvi') ?? '');
    const worker = runs.start();
    const refused = await eventually('the refusal', async () => {
      const found = await ask(30).catch((error: unknown) => error);
      return found instanceof Problem ? found : undefined;
    });
    await worker.stop();
    assert.equal(refused.code, 'conflict');
    assert.equal(refused.message, 'a raster that this run has read was deleted since');
    assert.equal(
      translate(new Message(refused.message, refused.sentence), 'ru'),
      'растр, который этот расчёт использовал, с тех пор удалён',
    );
  });
});
