import { z } from 'zod';
import { Unit } from '../../areas/areas-schema.ts';
import { countedMembers, OrderShare } from './balance-schema.ts';
import { exampleConflicts } from './examples.ts';

const Sector = z.int().min(1).max(5);
const contested = z.number().describe('Mapped area that suits several sectors equally well, hectares');
const allocable = z.number().describe('Mapped area that can be allotted and has a zone, hectares');
const share = z.number().min(0).max(1).nullable();

export const Conflicts = z
  .object({
    ...countedMembers,
    tie_priority: z.array(Sector).length(5).describe('The order of this case, the preferred sector first'),
    least_s: z
      .int()
      .describe(
        'The minimum of the greatest suitability of contested land: other land suits no sector well enough',
      ),
    allocable_ha: allocable,
    contested_ha: contested,
    contested_share: share.describe('Share of the land that can be allotted; null where there is none'),
    contested_share_of_zones: share.describe(
      'Share for the land of V1 and V2 alone, by the parameters of the case',
    ),
    chosen_by_order: OrderShare,
    rows: z
      .array(
        z.object({
          sectors: z.array(Sector).min(2).max(5).describe('The sectors that share the greatest suitability'),
          s: z.int().min(1).max(5).describe('The greatest suitability'),
          ha: z.number().describe('Mapped area, hectares'),
          decided_by: z.literal('order').describe('The rule that chooses the sector'),
          winner: Sector.describe('The sector that the order chooses'),
        }),
      )
      .describe('Sets of sectors, the largest area first'),
    sets: z
      .array(
        z.object({
          sectors: z
            .array(Sector)
            .min(2)
            .max(5)
            .nullable()
            .describe('The sectors; null for all other sets together'),
          title: z.string().describe('Label in the language of the request'),
          color: z.string().describe('`#rrggbb`, as tiles draw it'),
          ha: z.number().describe('Mapped area whatever the suitability, hectares'),
        }),
      )
      .describe('The legend of the tiles: the eight largest sets of sectors, and all others'),
    units: z
      .array(
        z.object({
          ...Unit.shape,
          allocable_ha: allocable,
          contested_ha: contested,
          contested_share: share.describe('Share of the land that can be allotted; null where there is none'),
          ha: z.array(z.number()).describe('Mapped area by `rows`, hectares'),
        }),
      )
      .describe('Land by unit, ordered by code'),
  })
  .meta({
    id: 'LandscapeConflicts',
    description: 'Land for which several sectors compete',
    examples: [exampleConflicts],
  });
export type Conflicts = z.infer<typeof Conflicts>;
