import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSample, estimateShare, sampleBlocks } from './sample-blocks.ts';

const large = { width: 5000, height: 3000 };

test('the same blocks are drawn each time, none twice, from every part of the grid', () => {
  const strata = sampleBlocks(large);
  assert.deepEqual(strata, sampleBlocks(large));
  const blocks = strata.flatMap((stratum) => stratum.blocks);
  assert.equal(new Set(blocks.map(({ x, y }) => `${x} ${y}`)).size, blocks.length);
  assert.equal(
    strata.reduce((sum, { size }) => sum + size, 0),
    Math.ceil(5000 / 64) * Math.ceil(3000 / 64),
  );
  assert.ok(blocks.length >= 230 && blocks.length <= 260, `${blocks.length} blocks`);
  for (const { x, y, width, height } of blocks) {
    assert.ok(x % 64 === 0 && y % 64 === 0);
    assert.deepEqual([width, height], [Math.min(64, 5000 - x), Math.min(64, 3000 - y)]);
  }
  const quarters = new Set(blocks.map(({ x, y }) => `${Math.floor(x / 1250)} ${Math.floor(y / 750)}`));
  assert.equal(quarters.size, 16);
});

test('another seed draws other blocks', () => {
  const other = sampleBlocks(large, { ...defaultSample, seed: 7 });
  assert.notDeepEqual(other, sampleBlocks(large));
});

test('a small grid is drawn as a whole, and its shares have no error', () => {
  const strata = sampleBlocks({ width: 700, height: 130 });
  assert.equal(
    strata.every(({ size, blocks }) => size === blocks.length),
    true,
  );
  assert.equal(strata.flatMap(({ blocks }) => blocks).length, 11 * 3);
  const looked = strata.map(({ size, blocks }) => ({
    size,
    blocks: blocks.map(({ x }) => ({ whole: 10, found: x === 0 ? 10 : 0 })),
  }));
  assert.deepEqual(estimateShare(looked), { share: 1 / 11, standardError: 0 });
});

test('without any area there is no share', () => {
  assert.deepEqual(estimateShare([{ size: 9, blocks: [{ whole: 0, found: 0 }] }]), {
    share: 0,
    standardError: 0,
  });
});

/** A field with patches, a trend and noise, and land without a zone. */
function lookAt(x: number, y: number) {
  const whole = Math.sin(x / 700) > 0.9 ? 0 : 4096 * (0.5 + 0.5 * Math.abs(Math.cos(y / 900)));
  const mixed = Math.imul(Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663), 2_654_435_761);
  const noise = ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  return {
    whole,
    found: whole * Math.min(1, Math.max(0, 0.2 + 0.2 * Math.sin(x / 400) + 0.3 * (noise - 0.5))),
  };
}

test('shares lie as far from the truth as their standard errors say, over 400 samples', () => {
  const { whole, found } = sumOfAll();
  const truth = found / whole;
  const errors = Array.from({ length: 400 }, (_, seed) => {
    const strata = sampleBlocks(large, { ...defaultSample, seed });
    const looked = strata.map(({ size, blocks }) => ({
      size,
      blocks: blocks.map(({ x, y }) => lookAt(x, y)),
    }));
    const { share, standardError } = estimateShare(looked);
    return { error: share - truth, standardError };
  });
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const spread = Math.sqrt(mean(errors.map(({ error }) => error ** 2)));
  const said = Math.sqrt(mean(errors.map(({ standardError }) => standardError ** 2)));
  assert.ok(Math.abs(mean(errors.map(({ error }) => error))) < said / 5, 'no bias');
  assert.ok(said > 0.85 * spread && said < 1.15 * spread, `said ${said}, spread ${spread}`);
  const within = errors.filter(({ error, standardError }) => Math.abs(error) <= 3 * standardError).length;
  assert.ok(within >= 390, `${within} of 400 within three standard errors`);
});

function sumOfAll() {
  let [whole, found] = [0, 0];
  for (let y = 0; y < large.height; y += 64) {
    for (let x = 0; x < large.width; x += 64) {
      const looked = lookAt(x, y);
      whole += looked.whole;
      found += looked.found;
    }
  }
  return { whole, found };
}
