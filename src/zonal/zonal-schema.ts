import { z } from 'zod';
import { AreaLevels, Method, Unit } from '../areas/areas-schema.ts';
import { valueQuantiles } from '../geo/engine.ts';
import { type Message, messageText } from '../lib/message.ts';
import { fieldFaults } from '../messages/request/english.ts';
import { CalendarDate, FreeText, Guid, Name } from '../validation/fields.ts';
import { exampleGroupZonal, exampleGroupZonalInput, exampleTableInput, exampleZonal } from './examples.ts';

const quantileNames = ['p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95'] as const;
/** Returns the index of a quantile in `valueQuantiles`. */
export function quantileIndex(stat: ZonalStat): number {
  return valueQuantiles.findIndex((share) => `p${Math.round(share * 100)}` === stat);
}

export const ZonalStat = z.enum(['mean', 'min', 'max', 'sd', ...quantileNames, 'sum', 'valid_share']);
export type ZonalStat = z.infer<typeof ZonalStat>;

/** Several statistics in a query, separated by commas; the first is the most important. */
const one = ZonalStat.options.join('|');
const mostStats = 13;
/** The maximum number of unknown names in an error message. */
const mostNamed = 5;
export const ZonalStats = z
  .string({ error: ({ input }) => messageText(statsFault(input)) })
  .regex(new RegExp(`^(?:${one})(?:,(?:${one})){0,${mostStats - 1}}$`), {
    error: ({ input }) => messageText(statsFault(input)),
  });

function statsFault(sent: unknown): Message {
  const names: readonly string[] = ZonalStat.options;
  const asked = typeof sent === 'string' ? sent.split(',') : [];
  const unknown = asked.filter((name) => !names.includes(name.trim()));
  if (unknown.length > 0) return fieldFaults.namesUnknown(unknown.slice(0, mostNamed), names);
  return fieldFaults.notNames(names, mostStats);
}

const describeStats =
  '`mean`, `sd` (of the whole, not of a sample) and the quantiles `p5` to `p95` are weighted by area; `min` and `max` are of all pixels that the unit touches; `sum` adds each value times the share of its pixel, and needs `values_are: count`; `valid_share` is the share of the unit with values';

const MinValidShare = z
  .number()
  .min(0)
  .max(1)
  .describe('The least share with values; a unit with a smaller share has no statistics, but a reason');

export const ValuesAre = z
  .enum(['density', 'count'])
  .describe(
    'The kind of values: `density` for values that do not grow with the size of a pixel, such as NDVI or degrees; `count` for numbers of things within the pixel. Only counts have a sum',
  );
export type ValuesAre = z.infer<typeof ValuesAre>;

export const ZonalQuery = {
  by: AreaLevels.default('district').describe(
    'Regions with the cities of republican significance, the districts below them, or both',
  ),
  stats: ZonalStats.default('mean,min,max,sd,p10,p50,p90,valid_share').describe(
    `Statistics, joined by commas: ${describeStats}`,
  ),
  min_valid_share: z
    .string()
    .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, {
      error: messageText(fieldFaults.outOfRange(0, 1, false)),
    })
    .default('0')
    .describe(`From 0 to 1. ${MinValidShare.description ?? ''}`),
  values_are: ValuesAre.default('density'),
};

const ZonalRow = z.object({
  ...Unit.shape,
  area_ha: z.number().describe('Area of the unit, hectares, not rounded'),
  valid_ha: z.number().describe('Area of the part of the unit with values, hectares'),
  values: z
    .record(z.string(), z.number().nullable())
    .describe('Values by name of the statistic; null if there is no value'),
  reason: z
    .enum(['no_values', 'below_min_valid_share'])
    .nullable()
    .describe(
      'The reason for missing statistics: no pixel has a value, or too few pixels of the unit have one',
    ),
});
export type ZonalRow = z.infer<typeof ZonalRow>;

export const DatasetZonal = z
  .object({
    dataset_id: Guid.describe('Id of the raster'),
    by: AreaLevels.describe('The requested units'),
    digest: z
      .string()
      .nullable()
      .describe('SHA-256 of the COG that was counted, hexadecimal; null where it is not known'),
    method: Method.extend({
      quantiles: z
        .literal('weighted by area, as exactextract interpolates them')
        .describe('The weighting of quantiles, and the interpolation between two values'),
    }).describe('The method of computation'),
    values_are: ValuesAre,
    value_unit: z.string().nullable().describe('Unit of the values; null when the dataset has none'),
    min_valid_share: MinValidShare,
    stats: z.array(ZonalStat).describe('The statistics, in the order in which they were asked for'),
    districts_version: z
      .int()
      .describe('The version of the administrative units; it increases with every change'),
    rows: z.array(ZonalRow).describe('Every unit, ordered by code'),
  })
  .meta({
    id: 'DatasetZonal',
    description: 'Statistics of the values of a raster in each administrative unit',
    examples: [exampleZonal],
  });
export type DatasetZonal = z.infer<typeof DatasetZonal>;

const Stats = z
  .array(ZonalStat)
  .min(1)
  .max(ZonalStat.options.length)
  .describe(`The first becomes the values of the table; the others become further columns. ${describeStats}`);

const settings = {
  by: AreaLevels.default('district').describe('The units'),
  stats: Stats,
  min_valid_share: MinValidShare.default(0),
  values_are: ValuesAre.default('density'),
  name: Name.optional().describe('Name of the table; without it, the name of the source and the statistic'),
};

export const ZonalTableInput = z
  .object({
    ...settings,
    description: FreeText.optional().describe('Description of the table'),
    category_id: Guid.optional().describe('An existing category; without it, that of the raster'),
    dg_id: Guid.optional().describe('An existing dataset group for the table; without it, none'),
  })
  .meta({
    description: 'The statistics of a raster that become a table by KATO',
    examples: [exampleTableInput],
  });
export type ZonalTableInput = z.infer<typeof ZonalTableInput>;

export const GroupZonalInput = z
  .object({
    ...settings,
    category_id: Guid.optional().describe('An existing category; without it, that of the newest raster'),
  })
  .meta({
    description: 'The table that follows the rasters of a group',
    examples: [exampleGroupZonalInput],
  });
export type GroupZonalInput = z.infer<typeof GroupZonalInput>;

const RasterState = z.enum(['waiting', 'failed', 'without_dates', 'replaced']);

const GroupZonalSettings = z.object({
  by: AreaLevels.describe('The units'),
  stats: Stats,
  min_valid_share: MinValidShare,
  values_are: ValuesAre,
  name: z.string().nullable().describe('The name in the settings; null if it was not set'),
  category_id: Guid.nullable().describe('The category in the settings; null if it was not set'),
});

export const GroupZonal = z
  .object({
    group_id: Guid.describe('Id of the dataset group'),
    settings: GroupZonalSettings.nullable().describe(
      'The kind of its values; null while no table follows the group',
    ),
    dataset_id: Guid.nullable().describe('The table; null until it is made for the first time'),
    state: z
      .enum(['off', 'up_to_date', 'counting', 'failed'])
      .describe(
        '`off`: no table follows the group; `up_to_date`: the table contains all possible rasters; `counting`: it is being updated; `failed`: some rasters could not be counted, or the table could not be made',
      ),
    message: z.string().describe('The state as a sentence, with the reason of a failure'),
    districts_version: z
      .int()
      .nullable()
      .describe(
        'The version of the administrative units with which the table was made; null without a table',
      ),
    made_at: z.iso
      .datetime()
      .nullable()
      .describe('The time when the table was last made, UTC; null if never'),
    rasters: z
      .object({
        in_table: z.int().min(0).describe('Rasters in the table'),
        waiting: z.int().min(0).describe('Rasters that are not counted yet'),
        failed: z.int().min(0).describe('Rasters that could not be counted'),
        without_dates: z.int().min(0).describe('Rasters without a date, which cannot be in a table'),
        replaced: z
          .int()
          .min(0)
          .describe('Rasters with the same dates as a newer one, which is in the table'),
      })
      .describe('Numbers of ready rasters of the group'),
    left_out: z
      .array(
        z.object({
          dataset_id: Guid.describe('Id of the raster'),
          name: z.string().describe('Name of the raster'),
          start_date: CalendarDate.nullable().describe('First day of the period of the raster'),
          end_date: CalendarDate.nullable().describe('Last day of the period of the raster'),
          state: RasterState.describe('Why it is not in the table'),
          message: z.string().describe('The reason as a sentence'),
        }),
      )
      .max(100)
      .describe('Rasters that are not in the table, the newest first, 100 at most'),
  })
  .meta({
    id: 'GroupZonal',
    description: 'The table of statistics that follows the rasters of a group',
    examples: [exampleGroupZonal],
  });
export type GroupZonal = z.infer<typeof GroupZonal>;
export type RasterState = z.infer<typeof RasterState>;
