import { z } from 'zod';
import { fieldFaults, metaFaults } from '../../messages/request/english.ts';
import { findJsonFlaw, type JsonTextFlaw } from '../../json/verbatim-json.ts';
import { BooleanText, CalendarDate, FreeText, Guid, Name } from '../../validation/fields.ts';
import { exampleDataset } from '../../lib/examples.ts';
import { FileType } from '../schema.ts';
import { type Message, messageText } from '../../lib/message.ts';

const maxMetaDepth = 64;

const faults: Readonly<Record<JsonTextFlaw, Message>> = {
  syntax: metaFaults.syntax,
  depth: metaFaults.depth(maxMetaDepth),
  text: fieldFaults.notStorable,
};

/** A JSON object, kept as text to preserve the digits and the order of keys. */
const Meta = z.string().superRefine((text, context) => {
  const flaw = findJsonFlaw(text, maxMetaDepth) ?? (text.trimStart().startsWith('{') ? undefined : 'syntax');
  if (flaw !== undefined) context.addIssue({ code: 'custom', message: messageText(faults[flaw]) });
});

/** Text parts of an upload. An empty optional part counts as absent. */
export const UploadFields = z.object({
  file_type: FileType.meta({ examples: [exampleDataset.file_type] }),
  category_id: Guid.meta({
    description: 'An existing category, as `GET /categories` lists them',
    examples: [exampleDataset.category_id],
  }),
  name: Name.optional().meta({
    description: 'Name; by default the file name',
    examples: [exampleDataset.name],
  }),
  description: FreeText.optional().meta({ description: 'Free text', examples: [exampleDataset.description] }),
  unit: FreeText.optional().meta({ description: 'Unit of the values', examples: [exampleDataset.unit] }),
  meta: Meta.optional().meta({
    description: 'A JSON object as text, preserved digit by digit',
    examples: [JSON.stringify(exampleDataset.meta)],
  }),
  automated: BooleanText.default(false).describe('True if a program uploads it; for filters of lists'),
  dg_id: Guid.optional().describe('An existing dataset group: the group of the same data for other periods'),
  start_date: CalendarDate.optional().meta({
    description: 'First day of the period that the data describe',
    examples: [exampleDataset.start_date],
  }),
  end_date: CalendarDate.optional().meta({
    description: 'Last day of the period; must not be before start_date',
    examples: [exampleDataset.end_date],
  }),
});
export type UploadFields = z.infer<typeof UploadFields>;
