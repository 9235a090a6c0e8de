import { z } from 'zod';
import { Unit } from '../../areas/areas-schema.ts';
import { countedMembers, ZoningParams } from './balance-schema.ts';
import { exampleStability } from './examples.ts';

const Kept = z
  .object({
    ha: z.number().describe('Mapped area that keeps its code in every case, hectares'),
    share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Share of the land with a zone; null where there is none'),
  })
  .meta({
    id: 'KeptLand',
    description: 'Land that keeps its code in the functional zoning',
    examples: [exampleStability.thresholds],
  });

const figures = {
  zoned_ha: z.number().describe('Mapped area with a zone, hectares'),
  thresholds: Kept.describe('Land that keeps its code when each threshold is moved by one'),
  order: Kept.describe('Land that keeps its code when each two neighbours of the order change places'),
  both: Kept.describe('Land that keeps its code in all of these cases'),
};

export const Stability = z
  .object({
    ...countedMembers,
    params: ZoningParams.describe('The case whose codes are compared'),
    cases: z
      .object({
        thresholds: z.int().describe('Thresholds that are moved by one, within 1 to 5'),
        order: z.int().describe('Neighbours of the order that change places'),
      })
      .describe('Number of cases, without that of `params`'),
    ...figures,
    codes: z
      .array(z.object({ code: z.int().describe('Code of the functional zoning'), ...figures }))
      .describe('The same shares for the land of each code that occurs'),
    units: z.array(z.object({ ...Unit.shape, ...figures })).describe('Land by unit, ordered by code'),
    legend: z
      .array(
        z.object({
          value: z
            .int()
            .describe(
              '1 keeps its code in all cases, 2 depends only on thresholds, 3 only on the order, 4 on both',
            ),
          title: z.string().describe('Label in the language of the request'),
          color: z.string().describe('`#rrggbb`, as tiles draw it'),
          ha: z.number().describe('Mapped area, hectares'),
        }),
      )
      .length(4)
      .describe('The legend of the tiles'),
  })
  .meta({
    id: 'LandscapeStability',
    description:
      'Land that keeps its code when parameters move: sensitivity to parameters, not a probability',
    examples: [exampleStability],
  });
export type Stability = z.infer<typeof Stability>;
