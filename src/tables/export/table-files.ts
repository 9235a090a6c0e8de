import { csvText } from '../../lib/formats/csv-text.ts';
import {
  aboutSheet,
  type Sheet,
  sheetLimits,
  type WorkbookCell,
  writeWorkbook,
} from '../../lib/formats/workbook.ts';
import type { Message } from '../../lib/message.ts';
import { maxParquetColumns } from '../../lib/formats/parquet.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { tableOutProblems, tableWords } from '../../messages/tables/english.ts';
import { labelOf } from '../rates/divisor.ts';
import type { Period } from '../rates/rate.ts';
import type { OpenTable, TableFacts } from './open-table.ts';
import { longLayout, type OutCell, type TableShape, wideLayout } from './table-rows.ts';

export interface Written {
  readonly shape: TableShape;
  readonly language: Language;
}

export async function layoutOf(table: OpenTable, { shape, language }: Written) {
  const { facts } = table;
  const names = await table.names(language);
  if (shape === 'long') return longLayout({ facts, names, landSince: await table.landSince() });
  return wideLayout({
    facts,
    names,
    label: facts.divisor && translate(labelOf(facts.divisor.choice), language),
  });
}

export const orderOf = (shape: TableShape) => (shape === 'wide' ? 'rows' : 'codes');

/** Writes a table as CSV, in batches of rows. */
export async function* tableCsv(table: OpenTable, written: Written): AsyncGenerator<string> {
  const { columns, rows } = await layoutOf(table, written);
  yield csvText([columns.map(({ name }) => name)]);
  const textOf = (cell: OutCell) => (typeof cell === 'object' && cell !== null ? cell.code : cell);
  for await (const some of rows(table.cells(orderOf(written.shape))))
    yield csvText(some.map((row) => row.map(textOf)));
}

/** @throws {Problem} `invalid` if a file of this format cannot have that many columns. */
export function refuseWideTable(
  { columns, divisor }: TableFacts,
  { form, shape }: { readonly form: 'csv' | 'xlsx' | 'parquet'; readonly shape: TableShape },
): void {
  if (shape === 'long') return;
  const remarked = columns.filter(({ remarksColumn }) => remarksColumn !== null).length;
  const all = 2 + columns.length * (divisor === undefined ? 1 : 2) + remarked;
  if (form === 'xlsx' && all > sheetLimits.columns)
    throw tableOutProblems.tooManyColumns(all, sheetLimits.columns);
  if (form === 'parquet' && all > maxParquetColumns) throw tableOutProblems.tooWide(all, maxParquetColumns);
}

/** The unit of a column, with the conversion that the mapping asked for. */
function unitText({ column, unit, sourceUnit, factor }: TableFacts['columns'][number]): readonly string[] {
  if (unit === null) return [];
  return [`${column}: ${factor === null ? unit : `${sourceUnit ?? ''} × ${factor} = ${unit}`}`];
}

/**
 * Writes a table as a workbook in chunks: first its rows, in as many sheets as they need, because programs read these
 * first, then its metadata.
 */
export async function* tableWorkbook(table: OpenTable, written: Written): AsyncGenerator<Buffer> {
  const { shape, language } = written;
  const say = (message: Message) => translate(message, language);
  const { columns, rows } = await layoutOf(table, written);
  const cellOf = (cell: OutCell): WorkbookCell =>
    typeof cell === 'object' && cell !== null ? { value: cell.code, style: 'code' } : cell;
  async function* sheetRows() {
    for await (const some of rows(table.cells(orderOf(shape)))) yield some.map((row) => row.map(cellOf));
  }
  const sheet: Sheet = {
    name: say(tableWords.tableSheet),
    widths: [12, 32, 14],
    head: columns.map(({ name }) => name),
    fixedColumns: 2,
    rows: sheetRows(),
  };
  const about = aboutSheet(say(tableWords.aboutSheet), table.facts.name, aboutLines(table.facts, written));
  yield* writeWorkbook([sheet, about]);
}

function aboutLines(facts: TableFacts, { shape, language }: Written): (readonly [string, string])[] {
  const say = (message: Message) => translate(message, language);
  const period = ({ start_date: start, end_date: end }: Period) =>
    end === null ? start : `${start} – ${end}`;
  const { divisor, columns } = facts;
  const lines: (readonly [string, string | null])[] = [
    [say(tableWords.source), facts.filename],
    [say(tableWords.dataset), facts.id],
    [say(tableWords.uploaded), facts.createdAt.toISOString()],
    [say(tableWords.unit), facts.unit],
    [say(tableWords.description), facts.description],
    [say(tableWords.mapping), facts.katoColumn],
    [say(tableWords.columns), columns.map((each) => `${each.column}: ${period(each)}`).join('; ')],
    [say(tableWords.units), columns.flatMap(unitText).join('; ')],
    [say(tableWords.version), String(facts.districtsVersion)],
    [say(tableWords.method), say(tableWords.methodText)],
    ['', say(shape === 'wide' ? tableWords.wideText : tableWords.longText)],
  ];
  if (divisor !== undefined) {
    const { choice } = divisor;
    lines.push(
      [say(tableWords.rate), say(tableWords.rateText(say(labelOf(choice))))],
      [say(tableWords.denominator), choice.kind === 'area' ? say(tableWords.areaText) : choice.name],
    );
    if (choice.kind === 'dataset')
      lines.push([
        say(tableWords.periodsUsed),
        columns
          .map((each) => {
            const used = divisor.usedFor(each);
            return `${each.column}: ${used === undefined ? say(tableWords.nothing) : period(used)}`;
          })
          .join('; '),
      ]);
  }
  return lines.flatMap(([name, text]) => (text === null || text === '' ? [] : [[name, text] as const]));
}
