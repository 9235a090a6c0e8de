import { z } from 'zod';
import { unlessMissing } from './validation-messages.ts';
import { MiB } from './units.ts';

export const maxNameCharacters = 255;

/** A uuid of any version and variant, in either case; lower case once parsed. */
export const Guid = z.guid({ error: unlessMissing('must be a uuid') }).toLowerCase();

const storablePattern = String.raw`^[^\u0000]*$`;

/** Text that the database and every client can hold. */
export const Text = z
  .string({ error: unlessMissing('must be text') })
  .refine((text) => !text.includes('\u0000') && text.isWellFormed(), {
    error: 'must not hold U+0000 or half a surrogate pair',
  })
  .meta({ pattern: storablePattern });

/** As long as a field of a form can be. */
const maxFreeTextCharacters = MiB;

/** Text of at most so many characters (code points, not UTF-16 units). */
export function textOfAtMost(maxCharacters: number) {
  return Text.refine((text) => !isLongerThan(text, maxCharacters), {
    error: `must have at most ${maxCharacters} characters`,
  }).meta({ pattern: storablePattern, maxLength: maxCharacters });
}

/** Text of any kind, at most 1,048,576 characters. */
export const FreeText = textOfAtMost(maxFreeTextCharacters);

/** A dataset's name: not blank, at most 255 characters (code points, not UTF-16 units). */
export const Name = Text.refine((name) => name.trim() !== '', { error: 'must not be blank' })
  .refine((name) => !isLongerThan(name, maxNameCharacters), {
    error: `must have at most ${maxNameCharacters} characters`,
  })
  .meta({
    pattern: String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$`,
    minLength: 1,
    maxLength: maxNameCharacters,
  });

/** When a row was made and last changed, as answers show it. */
export const timestamps = {
  created_at: z.iso.datetime().describe('When it was created, UTC'),
  updated_at: z.iso.datetime().describe('When it last changed, UTC'),
};

/** `true` or `false` in a query or a form, where everything is text. */
export const BooleanText = z.preprocess(
  (text) => (text === 'true' ? true : text === 'false' ? false : text),
  z.boolean({ error: unlessMissing('must be true or false') }),
);

/** Whether a text has more characters (code points) than `maxCharacters`. */
function isLongerThan(text: string, maxCharacters: number): boolean {
  // A code point is one or two UTF-16 units: what is twice too long need not be counted.
  return text.length > 2 * maxCharacters || [...text].length > maxCharacters;
}

/** The first message per field of a failed parse; nested fields are named with dots and indexes. */
export function fieldErrorsOf(error: z.ZodError | undefined): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) errors[path.join('.')] ??= message;
  return errors;
}
