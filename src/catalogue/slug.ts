import { z } from 'zod';
import { slugFault } from '../messages/catalogue.ts';
import { textOfAtMost } from '../validation/fields.ts';

/** The code of a category or a dataset group: lower-case latin letters, digits and single dashes between them. */
export const Slug = z
  .string()
  .max(255, { abort: true }) // the pattern runs out of stack on megabytes of dashes
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: slugFault });

/** Empty when omitted; its length counts code points. */
export const Description = textOfAtMost(2000).default('');
