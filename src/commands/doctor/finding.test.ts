import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeOf, tableOf } from './finding.ts';

test('findings stand in one column, and the last line sums them up', () => {
  const fine = [
    { title: 'Node.js', lines: ['24'] },
    { title: 'Isolation', lines: ['none', 'a command'] },
  ];
  assert.equal(
    tableOf(fine),
    'Node.js    24\nIsolation  none\n           a command\n\nSteppe can work here.\n',
  );
  const broken = [
    { title: 'Data', lines: ['gone'], isFault: true },
    { title: 'Database', lines: ['away'], isFault: true },
  ];
  assert.equal(
    tableOf([...fine, ...broken])
      .split('\n')
      .at(-2),
    'Steppe cannot work here; see Data, Database.',
  );
});

test('sizes are given in the unit that fits', () => {
  const sizes = [0, 1023, 1024, 300_000_000, 4 * 2 ** 30, 1.5 * 2 ** 40];
  assert.deepEqual(sizes.map(sizeOf), ['0 KiB', '1 KiB', '1 KiB', '286.1 MiB', '4 GiB', '1.5 TiB']);
});
