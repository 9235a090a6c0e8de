import { z } from 'zod';
import { exampleSummary } from '../../lib/examples.ts';
import { Guid } from '../../validation/fields.ts';
import { SeriesDate, usedPeriod } from '../kato-map/kato-series.ts';

const exampleTable = { by: 'dataset', dataset_id: exampleSummary.dg_id, per: 1000 };

const per = z
  .int()
  .min(1)
  .max(1_000_000_000)
  .describe('Hectares, or amount of the other table, to which a rate refers');

export const DenominatorInput = z
  .discriminatedUnion('by', [
    z.object({
      by: z.literal('area').describe('Area of each unit in hectares'),
      per: per.default(1000),
    }),
    z.object({
      by: z.literal('dataset').describe('Values of another table by KATO'),
      dataset_id: Guid.describe('Id of the other table'),
      per: per.default(1000),
    }),
  ])
  .meta({ description: 'Denominator of the values of a table', examples: [exampleTable] });
export type DenominatorInput = z.infer<typeof DenominatorInput>;

export const Denominator = z
  .object({
    state: z
      .enum(['none', 'ready', 'waiting', 'gone'])
      .describe('`waiting`: the other table is not ready; `gone`: it has been deleted'),
    message: z.string().describe('The state as a sentence'),
    by: z.enum(['area', 'dataset']).nullable().describe('Kind of the denominator; null without one'),
    dataset_id: Guid.nullable().describe(
      'Id of the other table; null for areas, and if the table has been deleted',
    ),
    name: z.string().nullable().describe('Name of the other table'),
    unit: z.string().nullable().describe('Unit of the other table'),
    per: z
      .int()
      .nullable()
      .describe('Hectares, or amount of the other table, to which a rate refers; null without a denominator'),
    label: z.string().nullable().describe('Text that follows the unit of a rate in legends'),
    counts: z
      .enum(['unit', 'total'])
      .nullable()
      .describe(
        'Evidence that the values of the table are counts, which should be compared by rates: their `unit`, or a `total` that is the sum of its parts; null without such evidence',
      ),
    periods: z
      .array(z.object({ ...SeriesDate.shape, used: usedPeriod }))
      .describe('For another table, once it is ready: its period for each date of this table'),
  })
  .meta({
    id: 'Denominator',
    description: 'The denominator of the values of a table',
    examples: [
      {
        state: 'ready',
        message: 'the values can be shown per 1,000 people',
        ...exampleTable,
        name: 'Population by region',
        unit: 'people',
        label: 'per 1,000 people',
        counts: 'unit',
        periods: [
          {
            start_date: '2023-01-01',
            end_date: '2023-12-31',
            used: { start_date: '2023-01-01', end_date: null },
          },
        ],
      },
    ],
  });
export type Denominator = z.infer<typeof Denominator>;
