import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRowLoader } from './row-loader.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

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

test('a statement that hangs fails those who share it after five seconds, and the next is sent', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let statements = 0;
  const load = createRowLoader<Row>(async (ids) => {
    statements += 1;
    if (statements === 1) await new Promise(() => undefined);
    return ids.map((id) => ({ id, value: statements }));
  });
  const stuck = load('a').catch((error: unknown) => isDatabaseUnavailable(error));
  const next = load('a');
  mock.timers.tick(4999);
  await nextTurn();
  assert.equal(statements, 1);
  mock.timers.tick(1);
  assert.equal(await stuck, true);
  assert.deepEqual(await next, { id: 'a', value: 2 });
});
