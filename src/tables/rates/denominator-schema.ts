import { z } from 'zod';
import { exampleSummary } from '../../lib/examples.ts';
import { Guid } from '../../validation/fields.ts';
import { SeriesDate, usedPeriod } from '../kato-map/kato-series.ts';

const exampleTable = { by: 'dataset', dataset_id: exampleSummary.dg_id, per: 1000 };

const per = z
  .int()
  .min(1)
  .max(1_000_000_000)
  .describe('The hectares, or the amount of the other table, to which a rate refers');

export const DenominatorInput = z
  .discriminatedUnion('by', [
    z.object({
      by: z.literal('area').describe('The area of each unit in hectares'),
      per: per.default(1000),
    }),
    z.object({
      by: z.literal('dataset').describe('The values of another table by KATO'),
      dataset_id: Guid.describe('Of the other table'),
      per: per.default(1000),
    }),
  ])
  .meta({ description: 'The denominator of the values of a table', examples: [exampleTable] });
export type DenominatorInput = z.infer<typeof DenominatorInput>;

export const Denominator = z
  .object({
    state: z
      .enum(['none', 'ready', 'waiting', 'gone'])
      .describe('`waiting`: the other table is not ready; `gone`: it has been deleted'),
    message: z.string().describe('The state in words'),
    by: z.enum(['area', 'dataset']).nullable().describe('As it was set; null when there is none'),
    dataset_id: Guid.nullable().describe('Of the other table; null for areas, and when it has been deleted'),
    name: z.string().nullable().describe('The name of the other table'),
    unit: z.string().nullable().describe('Unit of the other table'),
    per: z.int().nullable().describe('As it was set; null when there is none'),
    label: z
      .string()
      .nullable()
      .describe('The text that a legend puts after the unit of the values of a rate'),
    counts: z
      .enum(['unit', 'total'])
      .nullable()
      .describe(
        'Why the values of the table seem to be counts, which are compared by rates: their `unit`, or a `total` that is the sum of its parts; null without such evidence',
      ),
    periods: z
      .array(z.object({ ...SeriesDate.shape, used: usedPeriod }))
      .describe('For another table, once it is ready: the period that is used for each date of the table'),
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
