import { z } from 'zod';
import { periodKinds } from '../../../common/table/periods/read.ts';
import { WithoutBorders } from '../../units/classifier/without-borders.ts';
import { CalendarDate, Guid } from '../../validation/fields.ts';
import { YearColumn } from '../../table/mapping-schema.ts';

const Count = z.int().min(0);
const Code = z.string().describe('KATO code as it was read, repaired if a program had changed it');
const firstRow = z.int().min(1).describe('Number of the first of these rows in the table, from 1');

const UnitRows = z.object({
  kato_code: z.string().describe('KATO code of the unit'),
  rows: Count.describe('Number of rows with the code'),
  first_row: firstRow,
});
const RepeatedCode = z.object({
  kato_code: Code,
  rows: Count.describe('Number of rows with the code'),
  first_row: firstRow,
});
const UnknownCode = RepeatedCode.extend({
  within: z
    .string()
    .nullable()
    .describe('District of a village or a rural district with this code; otherwise null'),
});

function listOf<Item extends z.ZodType>(item: Item, what: string) {
  return z.object({
    total: Count.describe(`Number of ${what}`),
    items: z.array(item).max(50).describe('The first items'),
  });
}

const figures = {
  rows: Count.describe('Number of counted rows'),
  with_district: Count.describe('Number of rows with the code of a district: these are on the map'),
  without_code: Count.describe('Number of rows with an empty cell: these are skipped'),
  below_district: Count.describe(
    'Number of rows with the code of a place within a district, such as a village: these are not on the map',
  ),
  uncounted_rows: Count.describe(
    'Number of rows left out of the lists and sums, beyond 20,000 different codes',
  ),
  units: z.array(UnitRows).describe('Units with rows, in the order of the table'),
  unknown_codes: listOf(UnknownCode, 'different codes without a district').describe(
    'Codes without a district',
  ),
  repeated_codes: listOf(RepeatedCode, 'codes of several rows').describe(
    'Codes of several rows; a map shows the last value of each date',
  ),
  without_borders: WithoutBorders.optional(),
};
export const MatchFigures = z.object(figures);
export type MatchFigures = z.infer<typeof MatchFigures>;

const exampleFigures = {
  rows: 5,
  with_district: 3,
  without_code: 1,
  below_district: 0,
  uncounted_rows: 0,
  units: [
    { kato_code: '100000000', rows: 1, first_row: 1 },
    { kato_code: '110000000', rows: 2, first_row: 2 },
  ],
  unknown_codes: { total: 1, items: [{ kato_code: '999999999', rows: 1, first_row: 4, within: null }] },
  repeated_codes: { total: 1, items: [{ kato_code: '110000000', rows: 2, first_row: 2 }] },
};

const TextCell = z.object({
  column: z.string().describe('Name of the column'),
  value: z.string().describe('Text in the place of a number; a long one ends in an ellipsis'),
  cells: Count.describe('Number of cells with the text'),
  first_row: firstRow,
});

export const TableMatch = z
  .object({
    dataset_id: Guid.describe('Id of the dataset'),
    kato_column: z.string().describe('Column of the codes'),
    ...figures,
    text_cells: z
      .object({
        total: Count.describe('Number of cells of mapped columns with a text'),
        items: z.array(TextCell).max(50).describe('The first different texts'),
      })
      .describe('Cells that are neither a number nor empty'),
  })
  .meta({
    id: 'TableMatch',
    description: 'Units that the rows of a table match, and rows without a match',
    examples: [
      {
        dataset_id: '0b6f3a52-5d1e-4c4f-9d6a-3f5a1b7c2d10',
        kato_column: 'kato',
        ...exampleFigures,
        text_cells: { total: 1, items: [{ column: '2023', value: 'н/д', cells: 1, first_row: 3 }] },
      },
    ],
  });
export type TableMatch = z.infer<typeof TableMatch>;

const NamedPeriod = z.object({
  start_date: CalendarDate.describe('Point in time, or first day of the period'),
  end_date: CalendarDate.nullable().describe('Last day of the period; null for a point in time'),
  kind: z
    .enum(periodKinds)
    .describe(
      '`split_year` is 2020/21: from July to June, or from September to August for an academic year; `day` is a point in time',
    ),
  note: z.string().describe('The text of the name without the period; may be empty'),
});

export const roleReasons = [
  'codes',
  'period',
  'other_codes',
  'same_start',
  'other_group',
  'no_period',
  'texts',
  'empty',
  'repeated_name',
] as const;

const SuggestedColumn = z.object({
  index: Count.describe('Index in the table, from 0'),
  name: z.string().describe('Name in the file'),
  role: z.enum(['kato', 'value', 'none']).describe('Suggested role'),
  reason: z
    .enum(roleReasons)
    .describe(
      'Reason for the role: it contains `codes`; its name is a `period`; it contains codes, but another column fits better (`other_codes`); another column with the same ' +
        'start date was taken (`same_start`), or a group of columns of another kind (`other_group`); `no_period` in its name; only `texts`; `empty`; an earlier column has the name (`repeated_name`)',
    ),
  period: NamedPeriod.nullable().describe('The period in the name; null without one'),
  codes: Count.describe('Number of cells with nine digits, after repairs'),
  numbers: Count.describe('Number of cells with numbers'),
  texts: Count.describe('Number of other cells that are not empty'),
  empty: Count.describe('Number of empty cells'),
});
export type SuggestedColumn = z.infer<typeof SuggestedColumn>;

export const ColumnMatch = z.object({ column: z.string().describe('Column of the codes'), ...figures });

export const MappingSuggestion = z
  .object({
    dataset_id: Guid.describe('Id of the dataset'),
    kato_column: z.string().nullable().describe('Column whose cells are codes; null without one'),
    year_columns: z.array(YearColumn).describe('Columns whose names are periods; a year is a whole year'),
    row_count: Count.describe('Number of rows in the table'),
    counted_rows: Count.describe('Number of examined rows: at most the first 1,000'),
    column_count: Count.describe('Number of columns in the table'),
    columns: z.array(SuggestedColumn).max(1000).describe('The requested columns'),
    rows: z
      .array(z.array(z.string().nullable()))
      .max(20)
      .describe('The first rows, a cell for each of `columns`; long texts end in an ellipsis'),
    matches: z
      .array(ColumnMatch)
      .max(5)
      .describe('Columns whose cells are codes, best match first, with the matching units'),
    left_out: z
      .object({
        total: Count.describe('Number of these columns'),
        items: z.array(z.string()).max(50).describe('Names of the first columns'),
      })
      .describe(
        'Columns whose names are periods and that are not suggested, because some begin on the same day and another group of them was chosen',
      ),
    long_table: z
      .object({ period_column: z.string().describe('Column whose cells are periods') })
      .nullable()
      .describe(
        'For a table with a row for each unit and period: pivot it before the upload, so that each period has a column',
      ),
  })
  .meta({
    id: 'MappingSuggestion',
    description: 'Probable contents of the columns of a table, with the evidence; nothing is applied',
    examples: [
      {
        dataset_id: '0b6f3a52-5d1e-4c4f-9d6a-3f5a1b7c2d10',
        kato_column: 'kato',
        year_columns: [{ column: '2023', start_date: '2023-01-01', end_date: '2023-12-31' }],
        row_count: 5,
        counted_rows: 5,
        column_count: 2,
        columns: [
          {
            index: 0,
            name: 'kato',
            role: 'kato',
            reason: 'codes',
            period: null,
            codes: 4,
            numbers: 0,
            texts: 4,
            empty: 1,
          },
          {
            index: 1,
            name: '2023',
            role: 'value',
            reason: 'period',
            period: { start_date: '2023-01-01', end_date: '2023-12-31', kind: 'year', note: '' },
            codes: 0,
            numbers: 4,
            texts: 1,
            empty: 0,
          },
        ],
        rows: [['100000000', '611888']],
        matches: [{ column: 'kato', ...exampleFigures }],
        left_out: { total: 0, items: [] },
        long_table: null,
      },
    ],
  });
export type MappingSuggestion = z.infer<typeof MappingSuggestion>;
