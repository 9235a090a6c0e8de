import { z } from 'zod';
import { unitLevels } from '../../common/maps/units/levels.ts';
import { Unit } from '../areas/areas-schema.ts';
import { exampleUnit } from '../areas/examples.ts';
import { Guid } from '../validation/fields.ts';
import { SeriesDate } from '../tables/kato-map/kato-series.ts';

const sides = ['a', 'b'] as const;
export type SideName = (typeof sides)[number];

/** Codes of reasons, in the order in which answers list them. */
const reasonCodes = [
  'dates',
  'no_date',
  'factor',
  'borders_of_today',
  'classes_left',
  'outside_units',
  'unknown_codes',
  'not_listed',
  'no_number',
  'no_borders',
  'outside_raster',
  'no_data',
  'not_chosen',
  'land_changed',
  'other_code',
  'ended',
  'began',
] as const;

const Reason = z.object({
  code: z
    .enum(reasonCodes)
    .describe(
      'The kind of reason. Of the whole comparison: `dates`, the registers have different dates; `no_date`; `factor`, values were multiplied; `borders_of_today`, a raster was counted within current borders; `classes_left`, classes were not chosen; `outside_units`, land lies in no unit; `unknown_codes`, codes name no unit. Of a unit: `not_listed`; `no_number`, a text or nothing stands in place of a number; `no_borders`; `outside_raster`; `no_data`; `not_chosen`, land is in other classes; `land_changed`, its borders changed between the dates; `other_code`, a table lists it under a former code; `ended`; `began`',
    ),
  side: z.enum(sides).nullable().describe('The register that it concerns; null for both'),
  hectares: z.number().nullable().describe('The land that it concerns, hectares; null if it is not land'),
  date: z.string().nullable().describe('The day on which units changed; null for other reasons'),
  text: z.string().describe('The reason as a sentence, in the language of the answer'),
});
export type Reason = z.infer<typeof Reason>;

const SideClass = z.object({
  value: z.number().describe('The value of the pixels'),
  title: z.string().nullable().describe('The label in the legend; null without one'),
  color: z.string().nullable().describe('The colour on the map, `#rrggbb`; null if it is not drawn'),
  is_chosen: z.boolean().describe('True if its hectares are part of the compared values'),
});

const Side = z.object({
  dataset_id: Guid.describe('Id of the dataset'),
  name: z.string().describe('Name of the dataset'),
  kind: z.enum(['table', 'raster']).describe('A table by KATO, or the areas of a raster'),
  period: z
    .object(SeriesDate.shape)
    .nullable()
    .describe('Date or period of the values: of the column of a table, or of the raster; null if unknown'),
  unit: z
    .string()
    .nullable()
    .describe('Unit of measurement as the dataset has it, `ha` for a raster; null if a table has none'),
  factor: z
    .number()
    .nullable()
    .describe('The number by which its values were multiplied, from the request; null if they were not'),
  classes: z.array(SideClass).nullable().describe('The classes of a raster; null for a table'),
});
export type Side = z.infer<typeof Side>;

const Value = z.number().nullable();
const group = (what: string) =>
  z
    .object({
      units: z.int().min(0).describe('Number of units'),
      value: z.number().describe('Sum of their values'),
    })
    .describe(what);

const exampleId = (digit: string) => `4c8e1a7d-25b9-4f03-8d61-e7a0c3b59f1${digit}`;

export const RegisterComparison = z
  .object({
    by: z.enum(unitLevels).describe('The level of the compared units'),
    levels: z
      .array(
        z.object({
          level: z.enum(unitLevels).describe('The level'),
          a: z.int().min(0).describe('Number of units with a value in the first register'),
          b: z.int().min(0).describe('The same in the second register'),
          both: z.int().min(0).describe('The same in both'),
        }),
      )
      .describe('Levels on which a register has values'),
    unit: z
      .string()
      .nullable()
      .describe('Unit of measurement of all compared values; null if neither table names one'),
    districts_version: z
      .int()
      .describe('The version of the administrative units; it increases with every change'),
    a: Side.describe('The first register'),
    b: Side.describe('The second register'),
    reasons: z.array(Reason).describe('Reasons for differences that concern all units'),
    classes: z
      .array(
        z.object({
          label: z.string().describe('What the colour means, in the language of the answer'),
          color: z.string().describe('The colour on the map of the differences, `#rrggbb`'),
          from: Value.describe(
            'Least difference, inclusive; null without a bound, and for units in one register',
          ),
          to: Value.describe('Greatest difference; null without a bound, and for units in one register'),
        }),
      )
      .describe('The legend of the differences, from the second register being greater to it being less'),
    rows: z
      .array(
        Unit.extend({
          a: Value.describe('Value in the first register; null without a number'),
          b: Value.describe('Value in the second register; null without a number'),
          difference: Value.describe('`b` less `a`, not rounded; null if one of them is missing'),
          share: Value.describe('`difference` divided by `a`; null without a difference, and if `a` is 0'),
          class: z.int().min(0).describe('Index of its class in `classes`'),
          reasons: z.array(Reason).describe('Reasons that are known for this unit'),
        }),
      )
      .describe(
        'Every unit with a number in a register: by the size of the difference, then those in one register by their value',
      ),
    total: z
      .object({
        units: z.int().min(0).describe('Number of units'),
        a: z.number().describe('Sum in the first register'),
        b: z.number().describe('Sum in the second register'),
        difference: z.number().describe('`b` less `a`'),
        share: Value.describe('`difference` divided by `a`; null if `a` is 0'),
      })
      .describe('The sums over the units that have a number in both registers'),
    only_a: group('Units with a number in the first register alone'),
    only_b: group('Units with a number in the second register alone'),
  })
  .meta({
    id: 'RegisterComparison',
    description: 'Two registers of the same land, unit by unit',
    examples: [
      {
        by: 'district',
        levels: [{ level: 'district', a: 1, b: 1, both: 1 }],
        unit: 'ha',
        districts_version: 3,
        a: {
          dataset_id: exampleId('1'),
          name: 'Land balance',
          kind: 'table',
          period: { start_date: '2024-11-01', end_date: null },
          unit: 'thousand ha',
          factor: 1000,
          classes: null,
        },
        b: {
          dataset_id: exampleId('2'),
          name: 'Pasture by satellite',
          kind: 'raster',
          period: { start_date: '2024-01-01', end_date: '2024-12-31' },
          unit: 'ha',
          factor: null,
          classes: [
            { value: 1, title: 'Pasture', color: '#a6d96a', is_chosen: true },
            { value: 2, title: 'Arable land', color: '#fdae61', is_chosen: false },
          ],
        },
        reasons: [
          {
            code: 'classes_left',
            side: 'b',
            hectares: null,
            date: null,
            text: 'Of the second register, these classes were not chosen: Arable land.',
          },
        ],
        classes: [{ label: 'second more by 1,000 ha or more', color: '#5ab4ac', from: 1000, to: null }],
        rows: [
          {
            ...exampleUnit,
            a: 20_000,
            b: 21_500.25,
            difference: 1500.25,
            share: 0.0750125,
            class: 0,
            reasons: [
              {
                code: 'not_chosen',
                side: 'b',
                hectares: 3012.5,
                date: null,
                text: 'Of the second register, 3,013 ha are in classes that were not chosen.',
              },
            ],
          },
        ],
        total: { units: 1, a: 20_000, b: 21_500.25, difference: 1500.25, share: 0.0750125 },
        only_a: { units: 0, value: 0 },
        only_b: { units: 0, value: 0 },
      },
    ],
  });
export type RegisterComparison = z.infer<typeof RegisterComparison>;
export type RegisterRow = RegisterComparison['rows'][number];
