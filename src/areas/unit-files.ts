import { buffer } from 'node:stream/consumers';
import type { TableForm } from '../http/files/table-forms.ts';
import { csvText } from '../lib/formats/csv-text.ts';
import { writeParquet } from '../lib/formats/parquet.ts';
import { aboutSheet, type WorkbookCell, writeWorkbook } from '../lib/formats/workbook.ts';
import { areaWords } from '../messages/areas/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import type { DatasetAreas, Unit } from './areas-schema.ts';

/** Part of every ETag: raise it when the format of equal figures changes. */
export const unitFileVersion = 2;

/** A column of a table with a row for each unit. */
export interface UnitColumn<Row> {
  /** For programs, in CSV and Parquet. */
  readonly name: string;
  /** For readers of a workbook, in their language. */
  readonly title: string;
  readonly type: 'text' | 'number';
  valueOf(row: Row): string | number | null;
  /** In a workbook, where that is not the value itself. */
  cellOf?(row: Row): WorkbookCell;
}

/** Makes a column of hectares, which are not rounded: a workbook shows two decimals. */
export const hectaresColumn = <Row>(
  name: string,
  title: string,
  valueOf: (row: Row) => number | null,
): UnitColumn<Row> => ({
  name,
  title,
  type: 'number',
  valueOf,
  cellOf(row) {
    const value = valueOf(row);
    return value === null ? null : { value, style: 'hectares' };
  },
});

function unitColumns(language: Language): readonly UnitColumn<Unit>[] {
  const say = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  return [
    {
      name: 'kato',
      title: say('code'),
      type: 'text',
      valueOf: ({ kato }) => kato,
      cellOf: ({ kato }) => ({ value: kato, style: 'code' }),
    },
    { name: 'name', title: say('name'), type: 'text', valueOf: (unit) => unitName(unit, language) },
    {
      name: 'level',
      title: say('level'),
      type: 'text',
      valueOf: ({ level }) => level,
      cellOf: ({ level }) => say(level),
    },
  ];
}

/** Land by unit as a file has it: the columns stand behind code, name and level of the unit. */
export interface UnitTable<Land> {
  readonly language: Language;
  readonly columns: readonly UnitColumn<Land>[];
  readonly rows: readonly (Unit & Land)[];
}

/** The facts about the count that the last sheet lists. */
export interface WorkbookFacts {
  /** The name of the raster. */
  readonly title: string;
  readonly countedAt: Date;
}

/** Further contents of a workbook. */
interface PlainBook<Land> {
  readonly title: string;
  readonly sheet: string;
  /** Names and values of the last sheet, one pair per line. */
  readonly about: readonly (readonly [name: string, text: string])[];
  /** Rows below the units: a title and its land. */
  readonly foot: readonly (readonly [title: string, land: Land])[];
}

/** Further contents of a workbook about a raster. */
interface UnitBook<Land> extends PlainBook<Land> {
  readonly facts: WorkbookFacts;
}

type Counted = Pick<DatasetAreas, 'dataset_id' | 'digest' | 'by' | 'districts_version'>;

export function unitCsv<Land>(table: UnitTable<Land>): Buffer {
  const columns = columnsOf(table);
  return Buffer.from(csvText([columns.map(({ name }) => name), ...valuesOf(columns, table.rows)]));
}

/** Writes an answer as JSON, or its table in another form. Equal tables give equal bytes. */
export async function unitFile<Land>(
  form: TableForm,
  answer: Counted,
  { book, ...table }: UnitTable<Land> & { readonly book: UnitBook<Land> },
): Promise<Buffer> {
  const about = aboutUnits(answer, book, table.language);
  return await unitTableFile(form, answer, { ...table, book: { ...book, about } });
}

/** Writes an answer that is not about one raster, like `unitFile`. */
export async function unitTableFile<Land>(
  form: TableForm,
  answer: object,
  { book, ...table }: UnitTable<Land> & { readonly book: PlainBook<Land> },
): Promise<Buffer> {
  if (form === 'json') return Buffer.from(JSON.stringify(answer));
  if (form === 'csv') return unitCsv(table);
  const columns = columnsOf(table);
  if (form === 'parquet')
    return await buffer(writeParquet({ columns, rows: [valuesOf(columns, table.rows)] }));
  const units = table.rows.map((row) => cellsOf(columns, row));
  const foot = book.foot.map(([name, row]) => [null, headCell(name), null, ...cellsOf(table.columns, row)]);
  const head = columns.map(({ title }) => title);
  const widths = [12, 32, 12, 18];
  // Programs read the first sheet.
  return await buffer(
    writeWorkbook([
      { name: book.sheet, widths, head, fixedColumns: 2, rows: [[...units, ...foot]] },
      aboutSheet(translate(areaWords.aboutSheet, table.language), book.title, book.about),
    ]),
  );
}

const headCell = (value: string) => ({ value, style: 'head' }) as const;

function columnsOf<Land>({ language, columns }: UnitTable<Land>): readonly UnitColumn<Unit & Land>[] {
  return [...unitColumns(language), ...columns];
}

function valuesOf<Row>(columns: readonly UnitColumn<Row>[], rows: readonly Row[]) {
  return rows.map((row) => columns.map((column) => column.valueOf(row)));
}

function cellsOf<Row>(columns: readonly UnitColumn<Row>[], row: Row): readonly WorkbookCell[] {
  return columns.map((column) => (column.cellOf ?? column.valueOf)(row));
}

/** The facts of the last sheet: what was counted over which units, and how. */
function aboutUnits<Land>(counted: Counted, { facts, about }: UnitBook<Land>, language: Language) {
  const say = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  return [
    [say('raster'), facts.title],
    [say('dataset'), counted.dataset_id],
    [say('digest'), counted.digest ?? ''],
    [say('counted'), facts.countedAt.toISOString()],
    [say('units'), say(counted.by)],
    [say('version'), String(counted.districts_version)],
    [say('method'), say('methodText')],
    ...about,
    [say('reading'), say('readingText')],
  ] as const;
}
