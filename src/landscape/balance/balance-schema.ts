import { z } from 'zod';
import { Guid } from '../../validation/fields.ts';
import { exampleBalance } from './examples.ts';

const threshold = (text: string) => z.int().min(1).max(5).describe(text);

/** The parameters that zones depend on beside the land. */
export const ZoningParams = z
  .object({
    v1_min_s_e12: threshold('V1 minimum suitability where E <= 2'),
    v1_min_s_e3: threshold('V1 minimum suitability where E == 3'),
    v2_min_s_e3: threshold('V2 minimum suitability where E == 3'),
    v2_min_s_e4: threshold('V2 minimum suitability where E == 4'),
    tie_priority: z
      .array(z.int().min(1).max(5))
      .length(5)
      .describe('Sectors in the order in which they are preferred where several suit alike'),
  })
  .meta({
    id: 'ZoningParams',
    description: 'Thresholds and order of sectors, complete',
    examples: [exampleBalance.params],
  });

/** By what hectares are counted. */
export const By = z.enum(['district', 'region', 'all']);
export type By = z.infer<typeof By>;

/** What every answer about hectares by unit begins with. */
export const countedMembers = {
  run_id: Guid.describe('The run'),
  unit: z.literal('ha').describe('Of all areas'),
  method: z.string().describe('How areas are measured, in English'),
  by: By.describe('Units of the rows: districts, regions, or none'),
  districts_version: z
    .int()
    .nullable()
    .describe('Version of the administrative units; null when none were used'),
};

const hectares = (text: string) => z.number().describe(`${text}, hectares`);

/** What every row begins with. */
export const unitMembers = {
  kato: z.string().nullable().describe('Code of the unit; null for land that is not asked for by unit'),
  name: z.string().nullable().describe('Name of the unit in the language of the request'),
};

export const BalanceRow = z
  .object({
    ...unitMembers,
    area_ha: hectares('Area of the unit'),
    not_allocable_ha: hectares('Mapped area that cannot be allotted: water, built-up land, ice'),
    no_data_ha: hectares('Mapped area without a zone'),
    outside_raster_ha: hectares('Area beyond the grid of the run'),
    ha: z.array(z.number()).describe('Mapped area by `cells`, hectares'),
    zones: z.array(z.number()).length(3).describe('Mapped area of V1, V2 and V3 in this case, hectares'),
    functional: z.array(z.number()).describe('Mapped area by `codes` in this case, hectares'),
  })
  .meta({
    id: 'BalanceRow',
    description: 'The mapped areas of a unit',
    examples: [exampleBalance.total],
  });
export type BalanceRow = z.infer<typeof BalanceRow>;

/** The sentence that stands under every legend, report and sheet of a zoning. */
export const OrderShare = z
  .object({
    share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Share of the land that can be allotted; null where there is none'),
    sentence: z
      .string()
      .nullable()
      .describe('It in one sentence, in the language of the request; null where there is no such land'),
  })
  .meta({
    id: 'OrderShare',
    description:
      'Where the order chooses the sector, not the land: several suit best alike, with S of 3 at least',
    examples: [exampleBalance.chosen_by_order],
  });

export const Balance = z
  .object({
    ...countedMembers,
    run_params: ZoningParams.describe('Those of the run'),
    params: ZoningParams.describe('Those of this case: of the run, unless the query says others'),
    cells: z
      .array(z.array(z.int()).length(3))
      .describe(
        '`[S, E, mask]`: bit k - 1 of the mask is set when sector k reaches S; those that occur in the run',
      ),
    codes: z.array(z.int()).describe('Codes of the functional zoning, without that of land not allocable'),
    units: z.array(BalanceRow).describe('By code of the unit; empty when `by` is `all`'),
    outside_units: BalanceRow.nullable().describe('Mapped area in no unit; null when `by` is `all`'),
    total: BalanceRow.describe('The whole grid of the run'),
    chosen_by_order: OrderShare,
  })
  .meta({
    id: 'LandscapeBalance',
    description: 'What thresholds and the order of sectors make of the land of a run',
    examples: [exampleBalance],
  });
export type Balance = z.infer<typeof Balance>;
