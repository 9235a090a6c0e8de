import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseForChange } from './change.ts';

const files = Array.from({ length: 90 }, (_, index) => `test/page/story-${index}.test.ts`);
const imports = new Map([
  ['test/page/story-1.test.ts', ['src/a.ts', 'console/src/words/en.ts']],
  ['test/page/story-2.test.ts', ['src/a.ts']],
  ['test/page/story-3.test.ts', ['src/b.ts']],
]);
const costs = new Map([
  ['test/page/story-1.test.ts', 5],
  ['test/page/story-2.test.ts', 50],
]);
const choose = (turn: number, changed: readonly string[] = []) =>
  chooseForChange({
    files,
    always: ['test/page/story-0.test.ts'],
    turn,
    changed,
    costs,
    mostTouchedSeconds: 30,
    reachedBy: (file) => new Set([file, ...(imports.get(file) ?? [])]),
  });

test('three turns in a row run every file once, in parts of about the same size', () => {
  for (const first of [0, 1, 7]) {
    const turns = [first, first + 1, first + 2].map((turn) => choose(turn).inTurn);
    assert.deepEqual(turns.flat().toSorted(), files.slice(1).toSorted());
    for (const { length } of turns) assert.ok(length > 15 && length < 45, `${length} of 89`);
  }
});

test('files that a change touches run within the limit of time, and the others are named', () => {
  const turns = [0, 1, 2].map((turn) => choose(turn, ['src/a.ts']));
  for (const { inTurn, touched, touchedButDear, leftOut } of turns) {
    const runs = [...inTurn, ...touched];
    assert.ok(runs.includes('test/page/story-1.test.ts'), 'five seconds are left for it');
    assert.ok(!touched.includes('test/page/story-2.test.ts'), 'fifty seconds are not');
    assert.equal(
      touchedButDear.has('test/page/story-2.test.ts'),
      !inTurn.includes('test/page/story-2.test.ts'),
    );
    assert.ok(!touched.includes('test/page/story-3.test.ts'), 'it imports nothing that has changed');
    assert.deepEqual([...runs, ...leftOut].toSorted(), files.slice(1).toSorted());
  }
});

test('sentences, which every story imports, touch no story', () => {
  assert.deepEqual(choose(0, ['console/src/words/en.ts']).touched, []);
});
