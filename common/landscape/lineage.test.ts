import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleOfUser } from './lineage.ts';

test('a source without a slot has the title of what was made of it', () => {
  const soil = { dataset_id: 'soil', title: null, inputs: [] };
  const other = { dataset_id: 'other', title: null, inputs: ['soil'] };
  const texture = { dataset_id: 'texture', title: 'Topsoil texture', inputs: ['dem', 'soil'] };
  const steps = [texture, other, soil];
  assert.equal(titleOfUser(soil, steps), 'Topsoil texture');
  assert.equal(titleOfUser(texture, steps), undefined);
  assert.equal(titleOfUser(other, steps), undefined);
});
