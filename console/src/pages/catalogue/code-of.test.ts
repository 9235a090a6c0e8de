import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from './code-of.ts';

test('a code is made of a name in any of the languages', () => {
  assert.equal(codeOf('Soil: salinity, 2024'), 'soil-salinity-2024');
  assert.equal(codeOf('Земли сельхозназначения'), 'zemli-selkhoznaznacheniya');
  assert.equal(codeOf('Әкімшілік бөлініс'), 'akimshilik-bolinis');
  assert.equal(codeOf('  Ceinture — été '), 'ceinture-ete');
  assert.equal(codeOf('土壤'), '');
  assert.match(codeOf('щ'.repeat(300)), /^[a-z]{255}$/);
});
