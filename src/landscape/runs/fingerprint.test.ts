import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { fingerprintOf } from './fingerprint.ts';

const inputs = new Map([
  ['landscape-in-dem', '00000000-0000-0000-0000-000000000001'],
  ['landscape-21-irrigation', '00000000-0000-0000-0000-000000000021'],
  ['landscape-22-snow', '00000000-0000-0000-0000-000000000022'],
  ['landscape-23-crop', '00000000-0000-0000-0000-000000000023'],
  ['landscape-24-pasture', '00000000-0000-0000-0000-000000000024'],
  ['landscape-25-tourism', '00000000-0000-0000-0000-000000000025'],
]);
const leading = { code: '32', inputs, params: { tie_priority: [1, 2, 3, 4, 5] } };

test('the fingerprint of node 32 is that of the design', () => {
  assert.equal(fingerprintOf(leading, 1), '7ab8981107c128d6db54744158db4305c2540641b96a12b8c0baded3cdbcf039');
});

test('the order in which inputs and params come does not matter', () => {
  const reversed = new Map([...inputs].toReversed());
  assert.equal(fingerprintOf({ ...leading, inputs: reversed }, 1), fingerprintOf(leading, 1));
  const zone = { code: '33', inputs };
  const one = fingerprintOf({ ...zone, params: { v1_min_s_e3: 4, v1_min_s_e12: 3, v2_min_s_e4: 5 } }, 1);
  const other = fingerprintOf({ ...zone, params: { v2_min_s_e4: 5, v1_min_s_e12: 3, v1_min_s_e3: 4 } }, 1);
  assert.equal(one, other);
});

test('node, inputs and params each make a difference', () => {
  const swapped = new Map([...inputs, ['landscape-in-dem', '00000000-0000-0000-0000-000000000002'] as const]);
  const variants = [
    leading,
    { ...leading, code: '31' },
    { ...leading, inputs: swapped },
    { ...leading, params: { tie_priority: [2, 1, 3, 4, 5] } },
    { ...leading, params: {} },
  ];
  assert.equal(new Set(variants.map((variant) => fingerprintOf(variant, 1))).size, variants.length);
});

test('from its second version on the graph is part of the node', () => {
  const json = '{"inputs":[["landscape-in-dem","a"]],"node":"01@2","params":{}}';
  const computation = { code: '01', inputs: new Map([['landscape-in-dem', 'a']]), params: {} };
  assert.equal(fingerprintOf(computation, 2), createHash('sha256').update(json).digest('hex'));
});
