import { z } from 'zod';
import { CalendarDate, FreeText, Guid, Name } from '../validation/fields.ts';
import { examplePatch, examplePut } from '../common/examples.ts';

// Empty text clears: it is stored as null.
const aboutDescription = 'Free text; empty text clears it';
const aboutUnit = 'Unit of the values, such as `people`; empty text clears it';
const NewCategory = Guid.describe('An existing category');
const NewGroup = Guid.nullish();
const NewStart = CalendarDate.nullish().describe(
  'First day of the period that the data describe; null: none',
);
const NewEnd = CalendarDate.nullish();

/** Replaces what a client says about a dataset; never its file, file type or status. */
export const DatasetPut = z
  .object({
    category_id: NewCategory,
    name: Name.describe('What people call it'),
    description: FreeText.describe(aboutDescription),
    unit: FreeText.describe(aboutUnit),
    dg_id: NewGroup.describe('An existing dataset group; omitted or null: none'),
    start_date: NewStart,
    end_date: NewEnd.describe('Last day of the period; must not be before start_date'),
  })
  .meta({
    id: 'DatasetPut',
    description: 'Everything that a client says about a dataset; an omitted group or date is cleared',
    examples: [examplePut],
  });
export type DatasetPut = z.infer<typeof DatasetPut>;

const PatchFields = z.object({
  category_id: NewCategory.optional(),
  name: Name.optional().describe('What people call it'),
  description: FreeText.nullish().describe(aboutDescription),
  unit: FreeText.nullish().describe(aboutUnit),
  dg_id: NewGroup.describe('An existing dataset group; null: none'),
  start_date: NewStart,
  end_date: NewEnd.describe('Last day of the period; must not be before the resulting start_date'),
});

/** Changes the present fields only; null clears. One of them has to be there, others do not count. */
export const DatasetPatch = PatchFields.meta({
  id: 'DatasetPatch',
  description: 'The fields of a dataset that change, at least one; null clears',
  examples: [examplePatch],
  minProperties: 1,
  anyOf: PatchFields.keyof().options.map((name) => ({ required: [name] })),
});
export type DatasetPatch = z.infer<typeof DatasetPatch>;
