import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { judgeList } from '../../src/catalogue/districts/names/judge-list.ts';
import { createNameIndex } from '../../src/catalogue/districts/names/name-index.ts';
import { formerNames, successorsOf } from '../../src/unit-history/curated.ts';
import { readProjectFile } from '../support/project.ts';
import { spreadsheets } from './all.ts';
import { unreadable } from './layouts/unreadable.ts';
import { askedRows, plain, readSheet } from './reading.ts';

const Properties = z.object({
  kato: z.string(),
  name: z.string(),
  name_kk: z.string().nullable(),
  name_en: z.string().nullable(),
});
const stored = (['region', 'district'] as const).flatMap((level) =>
  readProjectFile(`seeds/districts/${level}s.geojsonl`)
    .trim()
    .split('\n')
    .map((line) => ({
      level,
      ...Properties.parse(JSON.parse(`${/"properties":(\{[^}]*\})/.exec(line)?.[1]}`)),
    })),
);
const index = createNameIndex(stored, { formerNames, successorsOf });

suite('each row of a spreadsheet finds its unit, and none another one', () => {
  for (const { name, layout, file, bytes, correction, truth } of spreadsheets) {
    test(`${name} (${layout})`, async () => {
      const rows = askedRows(await readSheet(bytes(), file, correction));
      const judged = await judgeList(index, { rows });
      const found = judged.map(({ status, candidates: [first] }, at) => ({
        label: plain(rows[at]?.name ?? ''),
        unit: status === 'exact' || status === 'likely' ? first?.unit.kato : status,
      }));
      const units = found.filter(({ unit }) => unit !== 'none');
      assert.deepEqual(
        units.map(({ label, unit }) => `${label} ${unit}`).toSorted(),
        truth.rows
          .map(({ label, code }) => `${plain(label)} ${label === correction?.unit ? 'doubtful' : code}`)
          .toSorted(),
      );
    });
  }

  for (const { name, file, bytes } of unreadable.filter(({ says }) => says === 'noUnits')) {
    test(`no unit: ${name}`, async () => {
      const judged = await judgeList(index, { rows: askedRows(await readSheet(bytes(), file)) });
      assert.ok(judged.length > 0 && judged.every(({ status }) => status === 'none'));
    });
  }
});
