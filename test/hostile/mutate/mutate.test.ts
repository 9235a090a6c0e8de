import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { mutatedFile, structuralMutations } from './mutate.ts';
import { formats } from './mutation.ts';
import { readOwnOriginals } from './originals.ts';
import { createRandom } from './random.ts';

const originals = await readOwnOriginals();
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('seed and index alone decide what a file is', () => {
  const indices = Array.from({ length: 500 }, (_, index) => index);
  const files = (order: readonly number[]) =>
    new Map(order.map((index) => [index, mutatedFile(originals, 7, index)]));
  const [forwards, backwards] = [files(indices), files(indices.toReversed())];
  for (const index of indices) {
    const [one, other] = [forwards.get(index), backwards.get(index)];
    assert.deepEqual([one?.name, one && digest(one.bytes)], [other?.name, other && digest(other.bytes)]);
  }
  const different = new Set([...forwards.values()].map(({ bytes }) => digest(bytes)));
  assert.ok(different.size >= 495, `${different.size} different files`);
  assert.notEqual(digest(mutatedFile(originals, 8, 3).bytes), digest(mutatedFile(originals, 7, 3).bytes));
});

test('no mutated file is an original', () => {
  const known = new Set(originals.map(({ bytes }) => digest(bytes)));
  for (let index = 0; index < 500; index += 1) {
    const { name, bytes } = mutatedFile(originals, 1, index);
    assert.ok(bytes.length > 0, name);
    assert.ok(!known.has(digest(bytes)), name);
  }
});

for (const format of formats) {
  test(`every mutation that knows ${format} finds something to change`, () => {
    const ofFormat = originals.filter((original) => original.format === format);
    assert.ok(ofFormat.length >= 5, `${ofFormat.length} originals`);
    const useless = new Set(structuralMutations[format]).values().filter((change) => {
      return !ofFormat.some((original, index) => {
        const means = { random: createRandom(1, index), other: original.bytes };
        const changed = change(Buffer.from(original.bytes), means);
        return changed !== undefined && !changed.equals(original.bytes);
      });
    });
    assert.deepEqual([...useless], []);
  });
}
