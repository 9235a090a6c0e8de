import { z } from 'zod';
import { unlessMissing } from '../validation/validation-messages.ts';
import { textOfAtMost } from '../validation/fields.ts';

const maxCodeCharacters = 255;
const maxDescriptionCharacters = 2000;

/** What clients call a category or a dataset group: lower-case latin letters, digits and single dashes between them. */
export const Slug = z
  .string({ error: unlessMissing('must be text') })
  // Looked at no further when it is too long: the pattern runs out of stack on megabytes of dashes.
  .max(maxCodeCharacters, { error: `must have at most ${maxCodeCharacters} characters`, abort: true })
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
    error: 'must be lower-case latin letters, digits and single dashes between them',
  });

/** Empty when omitted; its length counts code points. */
export const Description = textOfAtMost(maxDescriptionCharacters).default('');
