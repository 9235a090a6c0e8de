import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  frameOfState,
  frameOfView,
  isIncomplete,
  readSheet,
  sheetPath,
  writeSheet,
} from './sheet-settings.ts';

const noAnnex = { body: '', number: '', date: '', signatures: '', names: '' };

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
  const extras = { view, language: 'kk', layers: [], borders: '', annex: noAnnex } as const;
  const path = sheetPath('a', settings, extras);
  assert.match(path, /^\.\/datasets\/a\/sheet\.pdf\?size=A4&orientation=landscape&lang=kk/);
  assert.match(path, /center=70\.00000%2C51\.00000&scale=500000/);
  assert.match(sheetPath('a', readSheet('A4.landscape.auto.110000000'), extras), /kato=110000000$/);
});

test('a sheet by nomenclature goes through the address in Latin letters, and asks for its own paper', () => {
  for (const text of ['auto.auto.auto.s42.M.42.047.A.a.1', 'A2.portrait.auto.q23.K.43.XXIX'])
    assert.equal(writeSheet(readSheet(text)), text);
  const settings = readSheet('auto.auto.auto.s42.M.42.047.B.c.1');
  assert.equal(settings.sheet?.name, 'M-42-047-Б-в-1');
  assert.equal(readSheet('auto.auto.auto.s42.M.42.145').what, 'view');
  const annex = { ...noAnnex, signatures: ' Аким | А. Б.\n\nСекретарь|В. Г. ', names: '11 = Пашня' };
  const extras = { view: undefined, language: 'ru', layers: ['b', 'c'], borders: 'all', annex } as const;
  const { searchParams } = new URL(sheetPath('a', settings, extras), 'http://localhost');
  assert.deepEqual(Object.fromEntries(searchParams), {
    lang: 'ru',
    wait: '10',
    nomenclature: 'M-42-047-Б-в-1',
    datum: 'sk-42',
    layers: 'b,c',
    borders: 'all',
    signatures: 'Аким | А. Б.;Секретарь|В. Г.',
    names: '11 = Пашня',
  });
  assert.equal(frameOfState(settings.sheet ?? assert.fail(), 'sk-42').length, 2 * (45 + 30) + 1);
  assert.ok(isIncomplete({ ...noAnnex, body: 'маслихат' }) && !isIncomplete(noAnnex));
});
