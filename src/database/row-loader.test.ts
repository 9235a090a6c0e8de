import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRowLoader } from './row-loader.ts';

type Row = { readonly id: string; readonly value: number };

test('ids asked for while a statement is under way are read together, each once, by the next', async () => {
  const asked: (readonly string[])[] = [];
  const firstMayEnd = Promise.withResolvers<void>();
  let value = 0;
  const load = createRowLoader<Row>(async (ids) => {
    asked.push(ids);
    value += 1;
    const rows = ids.filter((id) => id !== 'none').map((id) => ({ id, value }));
    if (value === 1) await firstMayEnd.promise;
    return rows;
  });
  const first = load('a');
  const later = ['a', 'b', 'a', 'none'].map(load);
  firstMayEnd.resolve();
  assert.deepEqual(await first, { id: 'a', value: 1 });
  const [a, b] = ['a', 'b'].map((id) => ({ id, value: 2 }));
  assert.deepEqual(await Promise.all(later), [a, b, a, undefined]);
  assert.deepEqual(asked, [['a'], ['a', 'b', 'none']]);
});

test('a failure is told to those whose rows were asked for, and the next statement is sent all the same', async () => {
  let statements = 0;
  const load = createRowLoader<Row>(async (ids) => {
    statements += 1;
    if (statements === 1) throw new Error('away');
    return ids.map((id) => ({ id, value: statements }));
  });
  const first = assert.rejects(load('a'), /away/);
  const second = load('b');
  await first;
  assert.deepEqual(await second, { id: 'b', value: 2 });
});
