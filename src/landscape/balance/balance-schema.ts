import { z } from 'zod';
import { AreaLevels, Method, Unit } from '../../areas/areas-schema.ts';
import { Guid, KatoCode } from '../../validation/fields.ts';
import { exampleBalance } from './examples.ts';

const threshold = (text: string) => z.int().min(1).max(5).describe(text);

/** The parameters that determine zones for given land. */
export const ZoningParams = z
  .object({
    v1_min_s_e12: threshold('V1 minimum suitability where E <= 2'),
    v1_min_s_e3: threshold('V1 minimum suitability where E == 3'),
    v2_min_s_e3: threshold('V2 minimum suitability where E == 3'),
    v2_min_s_e4: threshold('V2 minimum suitability where E == 4'),
    tie_priority: z
      .array(z.int().min(1).max(5))
      .length(5)
      .describe('Sectors by preference, for land that suits several of them equally well'),
  })
  .meta({
    id: 'ZoningParams',
    description: 'Thresholds and order of sectors, complete',
    examples: [exampleBalance.params],
  });

/** Which units an answer has. */
export const unitQuery = {
  by: AreaLevels.default('district').describe('The units of the rows'),
  kato: KatoCode.optional().describe('Only the unit with this code; for a region, also the units in it'),
};

/** The first members of every answer about hectares by unit. */
export const countedMembers = {
  run_id: Guid.describe('The run'),
  unit: z.literal('ha').describe('The unit of all areas'),
  method: Method,
  by: AreaLevels.describe('The requested units; `all` has both levels'),
  districts_version: z
    .int()
    .describe('The version of the administrative units; it increases with every change'),
};

const hectares = (text: string) => z.number().describe(`${text}, hectares`);

const landMembers = {
  not_allocable_ha: hectares('Mapped area that cannot be allotted: water, built-up land, ice'),
  no_data_ha: hectares('Mapped area without a zone'),
  ha: z.array(z.number()).describe('Mapped area by `cells`, hectares'),
  zones: z.array(z.number()).length(3).describe('Mapped area of V1, V2 and V3 in this case, hectares'),
  functional: z.array(z.number()).describe('Mapped area by `codes` in this case, hectares'),
};

export const BalanceRow = z
  .object({
    ...Unit.shape,
    area_ha: hectares('Area of the unit'),
    outside_raster_ha: hectares('Area beyond the grid of the run'),
    ...landMembers,
  })
  .meta({
    id: 'BalanceRow',
    description: 'The mapped areas of a unit; all but `zones` and `functional` add up to its area',
    examples: [exampleBalance.units[0]],
  });

export const BalanceLand = z
  .object({ area_ha: hectares('All of it'), ...landMembers })
  .meta({ id: 'BalanceLand', description: 'Mapped areas', examples: [exampleBalance.raster] });
export type BalanceLand = z.infer<typeof BalanceLand>;

/** The sentence below every legend, report and sheet of a zoning. */
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
      .describe('A summary in one sentence, in the language of the request; null without such land'),
  })
  .meta({
    id: 'OrderShare',
    description:
      'Land where the order chooses the sector: several sectors suit equally well, with S of 3 or more',
    examples: [exampleBalance.chosen_by_order],
  });

export type OrderShare = z.infer<typeof OrderShare>;

export const Balance = z
  .object({
    ...countedMembers,
    run_params: ZoningParams.describe('Parameters of the run'),
    params: ZoningParams.describe('Parameters of this case: those of the query, otherwise those of the run'),
    cells: z
      .array(z.array(z.int()).length(3))
      .describe(
        '`[S, E, mask]` of each cell that occurs in the run: bit k - 1 of the mask is set if sector k reaches S',
      ),
    codes: z.array(z.int()).describe('Codes of the functional zoning, without that of land not allocable'),
    units: z.array(BalanceRow).describe('Land by unit, ordered by code'),
    raster: BalanceLand.describe('All pixels of the run'),
    outside_units: BalanceLand.describe(
      'The part outside all units; with `by=all`, outside all regions, or all districts where there are no regions',
    ),
    chosen_by_order: OrderShare,
  })
  .meta({
    id: 'LandscapeBalance',
    description: 'The effect of thresholds and of the order of sectors on the land of a run',
    examples: [exampleBalance],
  });
export type Balance = z.infer<typeof Balance>;
