import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameOfView, readSheet, sheetPath, writeSheet } from './sheet-settings.ts';

test('settings go through the address, and what cannot be read is as at first', () => {
  for (const text of ['A3.portrait.500000.110000000', 'A4.landscape.auto.view', 'A4.portrait.auto.whole'])
    assert.equal(writeSheet(readSheet(text)), text);
  assert.equal(writeSheet(readSheet('A0.x.7.<b>')), 'A4.landscape.auto.view');
});

test('a sheet of a view lies within it, at a round scale', () => {
  const view = { lon: 70, lat: 51, width: 150_000, height: 90_000 };
  const settings = readSheet('A4.landscape.auto.view');
  const { denominator, frame } = frameOfView(settings, view);
  assert.equal(denominator, 500_000);
  assert.ok(frame.right - frame.left <= view.width && frame.top - frame.bottom <= view.height);
  const path = sheetPath('a', settings, { view, language: 'kk' });
  assert.match(path, /^\.\/datasets\/a\/sheet\.pdf\?size=A4&orientation=landscape&lang=kk/);
  assert.match(path, /center=70\.00000%2C51\.00000&scale=500000/);
  assert.match(
    sheetPath('a', readSheet('A4.landscape.auto.110000000'), { view, language: 'ru' }),
    /kato=110000000$/,
  );
});
