import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessMapping } from './guess-mapping.ts';

const columns = (...names: string[]) => names.map((name) => ({ name, samples: ['1'] }));

test('columns called by a year stand for its last day, those called by a day for that day', () => {
  const names = 'kato 2005 y2006 2007.0 rate_2008 2009-06-30 valid_from 2010-13-01 20111';
  assert.deepEqual(guessMapping(columns(...names.split(' '))), {
    katoColumn: 'kato',
    years: [
      { column: '2005', start_date: '2005-12-31' },
      { column: 'y2006', start_date: '2006-12-31' },
      { column: '2007.0', start_date: '2007-12-31' },
      { column: 'rate_2008', start_date: '2008-12-31' },
      { column: '2009-06-30', start_date: '2009-06-30' },
    ],
  });
});

test('a column of codes of nine digits is found by its samples, before one that is only called so', () => {
  const mapping = guessMapping([
    ...columns('kato_version', '2005'),
    { name: 'Код', samples: ['110000000', ' 750000000', "'750000000.0"] },
  ]);
  assert.equal(mapping?.katoColumn, 'Код');
});

test('without codes or without years there is nothing to guess', () => {
  assert.equal(guessMapping(columns('name', '2005')), undefined);
  assert.equal(guessMapping(columns('kato', 'population')), undefined);
});
