import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { carryPass, type PassInput, type PassSteps } from './pass-workflow.ts';

const input: PassInput = { runId: 'a run', blocks: 7, outputs: [['31', '34'], ['35']], next: 0 };
const never = (): boolean => false;

/** Creates steps that record their order, and the number of blocks in progress. */
function createSteps(faulty?: number) {
  const noted = { done: new Array<string>(), underWay: 0, most: 0 };
  const turn = async (what: string): Promise<void> => {
    await new Promise(setImmediate);
    noted.done.push(what);
  };
  const steps: PassSteps = {
    async computeBlock({ place }) {
      noted.underWay += 1;
      noted.most = Math.max(noted.most, noted.underWay);
      await turn(`block ${place}`);
      noted.underWay -= 1;
      if (place === faulty) throw new Error('a source is not fit');
    },
    judgePixels: async () => await turn('judged'),
    publishOutputs: async ({ codes }) => await turn(`published ${codes.join(' ')}`),
  };
  return { steps, noted };
}

const blocks = (from: number, below: number) =>
  Array.from({ length: below - from }, (_, place) => `block ${from + place}`);
const ending = ['judged', 'published 31 34', 'published 35'];

describe('the workflow of a pass', () => {
  test('computes each block once, then judges the pixels, then publishes each group', async () => {
    const { steps, noted } = createSteps();
    assert.equal(await carryPass(input, steps, { atOnce: 3, shouldRenew: never }), undefined);
    assert.deepEqual(noted.done, [...blocks(0, 7), ...ending]);
    assert.equal(noted.most, 3);
  });

  test('has no more blocks under way than there are', async () => {
    const { steps, noted } = createSteps();
    await carryPass(input, steps, { atOnce: 200, shouldRenew: never });
    assert.equal(noted.most, 7);
  });

  test('goes on in another one behind the blocks that it has begun, all of which are done', async () => {
    const done: string[] = [];
    let [next, workflows]: [number | undefined, number] = [0, 0];
    while (next !== undefined) {
      const { steps, noted } = createSteps();
      let looks = 0;
      const shouldRenew = (): boolean => (looks += 1) > 3;
      next = await carryPass({ ...input, next }, steps, { atOnce: 2, shouldRenew });
      assert.equal(noted.underWay, 0);
      done.push(...noted.done);
      workflows += 1;
    }
    assert.deepEqual([done, workflows], [[...blocks(0, 7), ...ending], 3]);
  });

  test('that was renewed behind the last block has only to judge and to publish', async () => {
    const { steps, noted } = createSteps();
    await carryPass({ ...input, next: 7 }, steps, { atOnce: 2, shouldRenew: () => true });
    assert.deepEqual(noted.done, ending);
  });

  test('fails with the step that fails, and publishes nothing', async () => {
    const { steps, noted } = createSteps(2);
    await assert.rejects(carryPass(input, steps, { atOnce: 1, shouldRenew: never }), /not fit/);
    assert.deepEqual(noted.done, blocks(0, 3));
  });
});
