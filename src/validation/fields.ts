import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { MiB } from '../lib/units.ts';
import { fieldFaults } from '../messages/request/english.ts';
import { unlessMissing } from './validation-messages.ts';

export const maxNameCharacters = 255;

/** A uuid of any version and variant, in either case; parsed to lower case. */
export const Guid = z.guid({ error: unlessMissing(fieldFaults.wrongFormat('guid')) }).toLowerCase();

/** Path parameters of one resource. */
export const IdParams = z.object({ id: Guid.describe('Id of the resource, a UUID in upper or lower case') });

/** Code of a region or district. */
export const KatoCode = z.string().regex(/^[0-9]{9}$/, { error: writtenLike('750000000') });

/** Returns the message for a text in a wrong form, which shows an example. */
export function writtenLike(example: string): string {
  return messageText(fieldFaults.writtenLike(example));
}

/** A calendar date from 0001-01-01 to 9999-12-31, written `YYYY-MM-DD`; orders as text. */
export const CalendarDate = z.iso
  .date({ error: unlessMissing(fieldFaults.wrongFormat('date')) })
  .refine((date) => date >= '0001-01-01', { error: messageText(fieldFaults.beforeYearOne) })
  .meta({ pattern: z.regexes.date.source.replace('^', '^(?!0000)') }); // descriptions do not show refinements

const storablePattern = String.raw`^[^\u0000]*$`;

/** Text that the database can store: no U+0000, no unpaired surrogates. */
export const Text = z
  .string({ error: unlessMissing(fieldFaults.wrongType('string')) })
  .refine((text) => !text.includes('\u0000') && text.isWellFormed(), {
    error: messageText(fieldFaults.notStorable),
  })
  .meta({ pattern: storablePattern });

/** Limits text to this many characters (code points, not UTF-16 units). */
export function textOfAtMost(maxCharacters: number) {
  return limitedTo(maxCharacters, Text).meta({ pattern: storablePattern, maxLength: maxCharacters });
}

/** Text up to the maximum size of a form field. */
export const FreeText = textOfAtMost(MiB);

/** Name of a dataset: not blank, at most 255 characters (code points, not UTF-16 units). */
export const Name = limitedTo(
  maxNameCharacters,
  Text.refine((name) => name.trim() !== '', { error: messageText(fieldFaults.blank) }),
).meta({
  pattern: String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$`,
  minLength: 1,
  maxLength: maxNameCharacters,
});

/** Times of creation and last change of a row, in answers. */
export const timestamps = {
  created_at: z.iso.datetime().describe('When it was created, UTC'),
  updated_at: z.iso.datetime().describe('When it last changed, UTC'),
};

export function timestampsOf(row: { readonly created_at: Date; readonly updated_at: Date }) {
  return { created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
}

/** `true` or `false` in a query or a form, which have text only. */
export const BooleanText = z.preprocess(
  (text) => (text === 'true' ? true : text === 'false' ? false : text),
  z.boolean({ error: unlessMissing(fieldFaults.wrongType('boolean')) }),
);

/** A query parameter of decimal digits only: no sign, no white space, no exponent. */
export function decimalInteger(min: number, max: number, byDefault: number) {
  const error = messageText(fieldFaults.outOfRange(min, max));
  return z
    .preprocess(numberOf, z.int({ error }).min(min, { error }).max(max, { error }).default(byDefault))
    .default(byDefault);
}

/** The same as `decimalInteger`, but optional. */
export function optionalInteger(min: number, max: number) {
  const error = messageText(fieldFaults.outOfRange(min, max));
  return z
    .preprocess(numberOf, z.int({ error }).min(min, { error }).max(max, { error }).optional())
    .optional();
}

function numberOf(text: unknown): unknown {
  return typeof text === 'string' && /^[0-9]+$/.test(text) ? Number(text) : text;
}

/** Limits a text in code points; a text of twice as many UTF-16 units is refused without counting. */
function limitedTo(maxCharacters: number, text: z.ZodString) {
  return text.refine((sent) => sent.length <= 2 * maxCharacters && [...sent].length <= maxCharacters, {
    error: messageText(fieldFaults.tooManyCharacters(maxCharacters)),
  });
}
