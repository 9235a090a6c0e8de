import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { maxTableColumns } from '../geo/engine.ts';
import { mappingFaults } from '../messages/datasets.ts';
import { CalendarDate, Text } from '../validation/fields.ts';
import { exampleColumn, exampleMapping } from '../lib/examples.ts';

/** A column of the file's attribute table, as it was detected. */
export const AttributeColumn = z
  .object({
    name: z.string().describe('As the file has it'),
    samples: z
      .array(z.string())
      .optional()
      .describe('Up to 5 distinct values, fewer of thousands of columns; a long one ends in an ellipsis'),
  })
  .meta({
    id: 'AttributeColumn',
    description: "A column of the file's attribute table, as it was detected",
    examples: [exampleColumn],
  });
export type AttributeColumn = z.infer<typeof AttributeColumn>;

/** Any text, the empty one included: files name their columns as they like. */
const ColumnName = Text.describe('One of the attribute_columns');

const Period = z.object({
  start_date: CalendarDate.describe('The point in time, or the first day of the period'),
  end_date: CalendarDate.nullish().describe('Last day of the period; omitted or null for a point in time'),
});

/** A column, and the point in time or, with `end_date`, the period (both ends included) of its values. */
export const YearColumn = z
  .object({ column: ColumnName, ...Period.shape }, { error: messageText(mappingFaults.notAYearColumn) })
  .refine(({ start_date, end_date }) => (end_date ?? start_date) >= start_date, {
    path: ['end_date'],
    error: messageText(mappingFaults.endBeforeStart),
    // also when `column` is wrong, so that all failing fields are named at once
    when: ({ value }) => Period.safeParse(value).success,
  })
  .meta({
    id: 'YearColumn',
    description: 'A column, and the point in time or the period that its values are about',
    examples: exampleMapping.year_columns,
  });
export type YearColumn = z.infer<typeof YearColumn>;

/** The least that tells whether a column is used twice, whatever else is wrong. */
const UsedColumns = z.object({
  kato_column: ColumnName,
  year_columns: z.array(z.object({ column: ColumnName })),
});

/** Reads the stored mapping of a dataset's year columns; empty before the first mapping. */
export function parseYearColumns(json: string | null): readonly YearColumn[] {
  return z.array(YearColumn).parse(JSON.parse(json ?? '[]'));
}

/** The column of the KATO codes, and the columns of values with their times. */
export const MappingInput = z
  .object({
    kato_column: ColumnName,
    // A body has room for millions of items; each would be checked before they are counted.
    year_columns: z
      .preprocess((sent) => withoutSurplus(sent), z.array(YearColumn).min(1).max(maxTableColumns))
      .describe('The columns that become observations, each of them once'),
  })
  .superRefine(
    (mapping, context) => {
      const taken = new Set([mapping.kato_column]);
      for (const [index, { column }] of mapping.year_columns.entries()) {
        if (taken.has(column)) {
          const message =
            column === mapping.kato_column ? mappingFaults.katoColumn : mappingFaults.mappedTwice;
          context.addIssue({
            code: 'custom',
            path: ['year_columns', index, 'column'],
            message: messageText(message),
          });
        }
        taken.add(column);
      }
    },
    { when: ({ value }) => UsedColumns.safeParse(value).success },
  )
  .meta({
    id: 'MappingInput',
    description: 'The column of the KATO codes, and the columns of values with their periods',
    example: exampleMapping, // zod leaves `examples` out where something is preprocessed
  });
export type MappingInput = z.infer<typeof MappingInput>;

function withoutSurplus(sent: unknown): unknown {
  return Array.isArray(sent) ? sent.slice(0, maxTableColumns + 1) : sent;
}
