import { z } from 'zod';
import { BooleanText, CalendarDate, Guid, Text } from '../validation/fields.ts';
import { DatasetStatus, FileType } from './schema.ts';

/** What a list of datasets can be narrowed by, as query parameters; all that are given must hold. */
export const DatasetFilter = z.object({
  category_id: Guid.optional().describe('That category alone, not its descendants'),
  category_code: Text.optional().describe('An unknown code gives an empty page'),
  file_type: FileType.optional().describe('Only datasets of this type'),
  automated: BooleanText.optional().describe('Only those that a program uploaded, or only the others'),
  status: DatasetStatus.optional().describe('Only datasets in this status'),
  dg_id: Guid.optional().describe('Only datasets of this dataset group'),
  start_date_from: CalendarDate.optional().describe('Only those whose start_date is this day or later'),
  start_date_to: CalendarDate.optional().describe('Only those whose start_date is this day or earlier'),
  end_date_from: CalendarDate.optional().describe('Only those whose end_date is this day or later'),
  end_date_to: CalendarDate.optional().describe('Only those whose end_date is this day or earlier'),
  q: Text.optional().describe('A case-insensitive part of name, description or file name'),
});
export type DatasetFilter = z.infer<typeof DatasetFilter>;
