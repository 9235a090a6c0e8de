import { z } from 'zod';
import { findJsonFlaw, type JsonTextFlaw } from '../verbatim-json.ts';
import { CalendarDate } from './calendar-date.ts';
import { BooleanText, Guid, Name, Text } from './fields.ts';
import { FileType } from './schema.ts';

const maxMetaDepth = 64;

const notAnObject = 'must be a JSON object';
const flawMessages: Readonly<Record<JsonTextFlaw, string>> = {
  syntax: notAnObject,
  depth: `must not be nested deeper than ${maxMetaDepth}`,
  text: 'must not hold U+0000 or half a surrogate pair',
};

/** A JSON object as text; kept as text, because its digits and the order of its keys are the user's. */
const Meta = z.string().superRefine((text, context) => {
  const flaw = findJsonFlaw(text, maxMetaDepth);
  if (flaw !== undefined) context.addIssue({ code: 'custom', message: flawMessages[flaw] });
  else if (!text.trimStart().startsWith('{')) context.addIssue({ code: 'custom', message: notAnObject });
});

/** The text parts of an upload. An optional one that is sent empty counts as not sent. */
export const UploadFields = z.object({
  file_type: FileType,
  category_id: Guid,
  name: Name.optional().describe('The file name when omitted'),
  description: Text.optional(),
  unit: Text.optional(),
  meta: Meta.optional().describe('A JSON object as text'),
  automated: BooleanText.default(false),
  dg_id: Guid.optional(),
  start_date: CalendarDate.optional(),
  end_date: CalendarDate.optional().describe('Inclusive; must not be before start_date'),
});
export type UploadFields = z.infer<typeof UploadFields>;
