import { z } from 'zod';
import { unlessMissing } from './validation-messages.ts';

/** A calendar date from 0001-01-01 to 9999-12-31, written `YYYY-MM-DD`; as text it orders by time. */
export const CalendarDate = z.iso
  .date({ error: unlessMissing('must be a calendar date written YYYY-MM-DD') })
  .refine((date) => date >= '0001-01-01', { error: 'must not be before 0001-01-01' })
  .meta({ pattern: z.regexes.date.source.replace('^', '^(?!0000)') }); // descriptions do not show refinements
