import { z } from 'zod';
import { exampleSummary } from '../lib/examples.ts';
import { calendarPattern, gracePattern } from '../lib/durations.ts';
import { cadenceFaults } from '../messages/runs/english.ts';
import { Guid } from '../validation/fields.ts';
import { unlessMissing } from '../validation/validation-messages.ts';

const exampleInput = { every: 'P1Y', grace: 'P60D' };

export const GroupCadenceInput = z
  .object({
    every: z
      .string({ error: unlessMissing(cadenceFaults.notEvery) })
      .regex(calendarPattern, { error: unlessMissing(cadenceFaults.notEvery) })
      .describe(
        'Time from the end of one period to the end of the next: 1 to 999 years, months, weeks or days',
      ),
    grace: z
      .string({ error: unlessMissing(cadenceFaults.notGrace) })
      .regex(gracePattern, { error: unlessMissing(cadenceFaults.notGrace) })
      .default('P0D')
      .describe('Time for which the next dataset may be late; none when omitted'),
  })
  .meta({ description: 'How often a dataset group is delivered', examples: [exampleInput] });
export type GroupCadenceInput = z.infer<typeof GroupCadenceInput>;

export const FreshnessState = z
  .enum(['fresh', 'due', 'overdue', 'undated', 'empty'])
  .describe(
    '`fresh` before `next_due`, `due` from then to `overdue_after`, later `overdue`; `undated`: the freshest ready dataset has no date; `empty`: the group has no ready dataset',
  );
export type FreshnessState = z.infer<typeof FreshnessState>;

const day = (what: string) => z.iso.date().nullable().describe(`${what}; null when \`undated\` or \`empty\``);

export const GroupFreshness = z
  .object({
    group_id: Guid.describe('Id of the dataset group'),
    code: z.string().describe('Code of the group'),
    name: z.string().describe('Name of the group'),
    every: z.string().describe('Time between periods as it was set, an ISO 8601 duration'),
    grace: z.string().describe('Allowed delay as it was set, an ISO 8601 duration'),
    state: FreshnessState,
    latest: z
      .object({
        id: Guid.describe('Id of the dataset'),
        name: z.string().describe('Name of the dataset'),
        start_date: z.iso.date().nullable().describe('First day of its period'),
        end_date: z.iso.date().nullable().describe('Last day of its period'),
      })
      .nullable()
      .describe('The freshest ready dataset, which determines the days; null when the group has none'),
    next_due: day(
      '`every` after the `end_date` of `latest`, or after its `start_date` where it has no end. An end on the last day of a month leads to the last day of a month',
    ),
    overdue_after: day('`grace` after `next_due`'),
    today: z.iso.date().describe('The day in UTC to which the state applies'),
  })
  .meta({
    id: 'GroupFreshness',
    description: 'The freshness of a dataset group by its cadence',
    examples: [
      {
        group_id: exampleSummary.dg_id,
        code: 'population-by-region',
        name: 'Численность населения',
        ...exampleInput,
        state: 'due',
        latest: {
          id: exampleSummary.id,
          name: exampleSummary.name,
          start_date: exampleSummary.start_date,
          end_date: exampleSummary.end_date,
        },
        next_due: '2024-12-31',
        overdue_after: '2025-03-01',
        today: '2025-02-03',
      },
    ],
  });
export type GroupFreshness = z.infer<typeof GroupFreshness>;
