import { z } from 'zod';
import { Unit } from '../../areas/areas-schema.ts';
import { countedMembers, ZoningParams } from './balance-schema.ts';
import { exampleSensitivity } from './examples.ts';

const ZoneChange = z.object({
  zone: z.int().min(1).max(3).describe('1 to 3: V1 to V3'),
  gained_ha: z.number().describe('Mapped area that comes from another zone, hectares'),
  lost_ha: z.number().describe('Mapped area that goes to another zone, hectares'),
});

export const SensitivityChange = z
  .object({
    changed_ha: z.number().describe('Mapped area whose code of the functional zoning changes, hectares'),
    zones: z
      .array(ZoneChange)
      .length(3)
      .describe('V1, V2 and V3; a change of the order moves no land between them'),
  })
  .meta({
    id: 'SensitivityChange',
    description: 'The land that a change of one parameter moves',
    examples: [exampleSensitivity.cases[0]?.raster],
  });

export type SensitivityChange = z.infer<typeof SensitivityChange>;

export const SensitivityCase = z
  .object({
    kind: z.enum(['threshold', 'order']).describe('The kind of change'),
    param: z.string().describe('Name of the parameter'),
    from: z.int().nullable().describe('Value of the threshold in the case asked for; null for an order'),
    to: z.int().nullable().describe('Value tried; null for an order'),
    sectors: z
      .array(z.int().min(1).max(5))
      .length(2)
      .nullable()
      .describe(
        'The neighbours in the order that change places, the preferred one first; null for a threshold',
      ),
    params: ZoningParams.nullable().describe('The evaluated case; null if it is invalid'),
    invalid: z
      .string()
      .nullable()
      .describe('The reason why the case cannot be evaluated, in the language of the request'),
    inert: z.boolean().describe('True when nothing changes'),
    changed_share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Share of the land with a zone; null where there is none'),
    raster: SensitivityChange.nullable().describe(
      'The change on all pixels of the run; null if the case is invalid',
    ),
  })
  .meta({
    id: 'SensitivityCase',
    description: 'One parameter changed by one step',
    examples: [exampleSensitivity.cases[0]],
  });

export type SensitivityCase = z.infer<typeof SensitivityCase>;

export const Sensitivity = z
  .object({
    ...countedMembers,
    params: ZoningParams.describe('The case from which every other case differs in one setting'),
    zoned_ha: z.number().describe('Mapped area with a zone, hectares'),
    cases: z
      .array(SensitivityCase)
      .describe('Each threshold one lower and one higher, then each two neighbours of the order swapped'),
    units: z
      .array(
        z.object({
          ...Unit.shape,
          zoned_ha: z.number().describe('Mapped area with a zone, hectares'),
          changes: z
            .array(SensitivityChange.nullable())
            .describe('The change of each of `cases`; null if the case is invalid'),
        }),
      )
      .describe('Land by unit, ordered by code'),
  })
  .meta({
    id: 'LandscapeSensitivity',
    description:
      'The land that each threshold and each pair of neighbours in the order moves: sensitivity to parameters',
    examples: [exampleSensitivity],
  });
export type Sensitivity = z.infer<typeof Sensitivity>;
