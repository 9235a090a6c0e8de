import { z } from 'zod';
import { CalendarDate } from './calendar-date.ts';
import { BooleanText, Guid, Text } from './fields.ts';
import { DatasetStatus, FileType } from './schema.ts';

/** What a list of datasets can be narrowed by, as query parameters; all that are given must hold. */
export const DatasetFilter = z.object({
  category_id: Guid.optional().describe('That category alone, not its descendants'),
  category_code: Text.optional().describe('An unknown code gives an empty page'),
  file_type: FileType.optional(),
  automated: BooleanText.optional(),
  status: DatasetStatus.optional(),
  dg_id: Guid.optional(),
  start_date_from: CalendarDate.optional(),
  start_date_to: CalendarDate.optional(),
  end_date_from: CalendarDate.optional(),
  end_date_to: CalendarDate.optional(),
  q: Text.optional().describe('A case-insensitive part of name, description or file name'),
});
export type DatasetFilter = z.infer<typeof DatasetFilter>;
