import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { maxTableColumns } from '../geo/engine.ts';
import { mappingFaults } from '../messages/datasets/english.ts';
import { CalendarDate, Text } from '../validation/fields.ts';
import { exampleColumn, exampleMapping } from '../lib/examples.ts';

export const AttributeColumn = z
  .object({
    name: z.string().describe('Name of the column in the file'),
    samples: z
      .array(z.string())
      .optional()
      .describe(
        'Up to 5 distinct values, fewer in a table with thousands of columns; a long one ends in an ellipsis',
      ),
  })
  .meta({
    id: 'AttributeColumn',
    description: "A column of the file's attribute table",
    examples: [exampleColumn],
  });
export type AttributeColumn = z.infer<typeof AttributeColumn>;

/** Any text, including the empty one: files name their columns freely. */
const ColumnName = Text.describe('One of the attribute_columns');

const Period = z.object({
  start_date: CalendarDate.describe('Point in time, or first day of the period'),
  end_date: CalendarDate.nullish().describe('Last day of the period; omitted or null for a point in time'),
});

/** Longer names of units are no units. */
const maxUnitCharacters = 100;
const [minFactor, maxFactor] = [1e-12, 1e12];

/** Optional facts about the values of a column; a mapping without them is stored and answered without them. */
const Measures = z.object({
  unit: Text.max(maxUnitCharacters).optional().describe('Unit of the values that are stored, as text'),
  factor: z
    .number()
    .min(minFactor)
    .max(maxFactor)
    .optional()
    .describe('The numbers of the file are multiplied by it; only with `unit` and `source_unit`'),
  source_unit: Text.max(maxUnitCharacters)
    .optional()
    .describe('Unit of the numbers in the file, if they are converted'),
  remarks_column: ColumnName.optional().describe(
    'Column with remarks on these values, such as `provisional: * preliminary data`; also one of the attribute_columns',
  ),
});

/** A column with the point in time, or with `end_date` the period (both ends included), of its values. */
export const YearColumn = z
  .object(
    { column: ColumnName, ...Period.shape, ...Measures.shape },
    { error: messageText(mappingFaults.notAYearColumn) },
  )
  .refine(({ start_date, end_date }) => (end_date ?? start_date) >= start_date, {
    path: ['end_date'],
    error: messageText(mappingFaults.endBeforeStart),
    // also if `column` is wrong, so that one answer names all invalid fields
    when: ({ value }) => Period.safeParse(value).success,
  })
  .refine((column) => column.factor === undefined || isRecorded(column), {
    path: ['factor'],
    error: messageText(mappingFaults.factorWithoutUnits),
    when: ({ value }) => Measures.safeParse(value).success,
  })
  .meta({
    id: 'YearColumn',
    description: 'A column with the point in time or the period of its values',
    examples: exampleMapping.year_columns,
  });
export type YearColumn = z.infer<typeof YearColumn>;

/** A conversion without the names of both units could not be checked later. */
const isRecorded = ({ unit, source_unit: source }: z.infer<typeof Measures>): boolean =>
  unit !== undefined && source !== undefined;

/** Minimal schema to detect columns used twice, whatever else is wrong. */
const UsedColumns = z.object({
  kato_column: ColumnName,
  year_columns: z.array(z.object({ column: ColumnName })),
});

/** Parses the stored mapping of a dataset's year columns; empty before the first mapping. */
export function parseYearColumns(json: string | null): readonly YearColumn[] {
  return z.array(YearColumn).parse(JSON.parse(json ?? '[]'));
}

export const MappingInput = z
  .object({
    kato_column: ColumnName,
    // A body may hold millions of items; without this, each would be validated before they are counted.
    year_columns: z
      .preprocess((sent) => withoutSurplus(sent), z.array(YearColumn).min(1).max(maxTableColumns))
      .describe('Columns that become observations, each only once'),
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
    description: 'Column of the KATO codes, and columns of values with their periods',
    example: exampleMapping, // zod drops `examples` of preprocessed schemas
  });
export type MappingInput = z.infer<typeof MappingInput>;

function withoutSurplus(sent: unknown): unknown {
  return Array.isArray(sent) ? sent.slice(0, maxTableColumns + 1) : sent;
}
