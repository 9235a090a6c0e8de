import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readWorkbook } from '../../../console/src/spreadsheets/files/read.ts';
import type { Cell } from '../../../console/src/spreadsheets/model/types.ts';
import { spreadsheets } from '../../spreadsheets/all.ts';
import { ofRosstat } from '../../spreadsheets/layouts/rosstat.ts';
import { expected, found, readSheet } from '../../spreadsheets/reading.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';

const run = promisify(execFile);
const readers = {
  name: 'spreadsheet-readers',
  packages: ['xlrd==2.0.2', 'xlwt==1.3.0', 'odfpy==1.4.1', 'openpyxl==3.1.5', 'python-calamine==0.9.1'],
} as const;
const programOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const fewestWorkbooks = 150;

const Read = z.object({
  path: z.string(),
  reader: z.string(),
  sheets: z.array(
    z.object({
      name: z.string(),
      rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    }),
  ),
});

const python = join(installPythonTools(readers), 'python');
const folder = await temporaryFolder();
const written = [...spreadsheets, ...ofRosstat].filter(({ file }) => extname(file) === '.xlsx');
for (const [index, { bytes }] of written.entries())
  await writeFile(join(folder, `${index}.source.xlsx`), bytes());
await run(python, [programOf('convert.py'), folder]);
const forms = ['.xls', '.ods', '.xlsx'] as const;
const paths = written.flatMap((_, index) => forms.map((form) => join(folder, `${index}${form}`)));
const { stdout } = await run(python, [programOf('read.py'), ...paths], { maxBuffer: 256 * 1024 * 1024 });
const reads = Map.groupBy(
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Read.parse(JSON.parse(line))),
  ({ path }) => path,
);

test(`at least ${fewestWorkbooks} workbooks, half of them in layouts of the two offices`, () => {
  assert.ok(paths.length >= fewestWorkbooks, String(paths.length));
  const ofOffices = written.filter(({ layout }) =>
    /stat\.gov|taldau|rosstat|fedstat|yearbook|Bureau/i.test(layout),
  );
  assert.ok(ofOffices.length * 2 > written.length, `${ofOffices.length} of ${written.length}`);
});

for (const form of forms)
  suite(`${form} is read as by two independent readers, and as the table that a person sees`, () => {
    for (const [index, spreadsheet] of written.entries()) {
      const path = join(folder, `${index}${form}`);
      test(spreadsheet.name, async () => {
        const bytes = Uint8Array.from(await readFile(path));
        const { sheets } = await readWorkbook(bytes, path);
        const others = reads.get(path) ?? [];
        assert.equal(others.length, 2);
        for (const { reader, sheets: theirs } of others) {
          assert.deepEqual(
            sheets.map(({ name }) => name),
            theirs.map(({ name }) => name),
          );
          for (const [at, { name, rows }] of sheets.entries())
            assert.deepEqual(differences(rows, theirs[at]?.rows ?? []), [], `${reader}, ${name}`);
        }
        const { table } = await readSheet(bytes, spreadsheet.file, spreadsheet.correction);
        assert.deepEqual(found(table, spreadsheet), expected(spreadsheet));
      });
    }
  });

type Rows = readonly (readonly Cell[])[];

function differences(ours: Rows, theirs: Rows): readonly string[] {
  const height = Math.max(ours.length, theirs.length);
  return Array.from({ length: height }, (_, row) => {
    const width = Math.max(ours[row]?.length ?? 0, theirs[row]?.length ?? 0);
    return Array.from({ length: width }, (__, column) => {
      const [own, other] = [ours[row]?.[column] ?? null, theirs[row]?.[column] ?? null];
      return isSame(own, other) ? [] : [`${row} ${column}: ${own} is not ${other}`];
    }).flat();
  }).flat();
}

/**
 * The readers give numbers without their formats: percentages as shares, codes without zeros, and no raised
 * digits.
 */
function isSame(own: Cell, other: Cell): boolean {
  if (own === other) return true;
  // The Python of one reader has no errors.
  if (own === null || other === null) return /^\s*$|^#/.test(String(own ?? other));
  if (typeof other === 'number') {
    const text = String(own);
    const number = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
    return number.toPrecision(14) === other.toPrecision(14);
  }
  return plainText(own) === plainText(other);
}

const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function plainText(cell: Cell): string {
  return String(cell)
    .replaceAll(/[⁰¹²³⁴-⁹]/g, (digit) => String(raisedDigits.indexOf(digit)))
    .replaceAll(/\s+/g, ' ')
    .trim();
}
