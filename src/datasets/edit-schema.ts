import { z } from 'zod';
import { CalendarDate } from './calendar-date.ts';
import { Guid, Name, Text } from './fields.ts';

/** Empty text clears: it is stored as null. */
const ClearableText = Text.describe('Empty text clears the field');

/** Replaces what a client says about a dataset; never its file, file type or status. */
export const DatasetPut = z
  .object({
    category_id: Guid,
    name: Name,
    description: ClearableText,
    unit: ClearableText,
    dg_id: Guid.nullish().describe('Omitted or null: none'),
    start_date: CalendarDate.nullish(),
    end_date: CalendarDate.nullish().describe('Inclusive; must not be before start_date'),
  })
  .meta({ id: 'DatasetPut' });
export type DatasetPut = z.infer<typeof DatasetPut>;

const PatchFields = z.object({
  category_id: Guid.optional(),
  name: Name.optional(),
  description: ClearableText.nullish(),
  unit: ClearableText.nullish(),
  dg_id: Guid.nullish(),
  start_date: CalendarDate.nullish(),
  end_date: CalendarDate.nullish().describe('Inclusive; must not be before the resulting start_date'),
});

/** Changes the present fields only; null clears. One of them has to be there, others do not count. */
export const DatasetPatch = PatchFields.meta({
  id: 'DatasetPatch',
  minProperties: 1,
  anyOf: PatchFields.keyof().options.map((name) => ({ required: [name] })),
});
export type DatasetPatch = z.infer<typeof DatasetPatch>;
