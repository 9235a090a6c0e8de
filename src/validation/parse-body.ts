import type { z } from 'zod';
import type { Message } from '../lib/message.ts';
import { type FieldErrors, invalidFields, Problem } from '../lib/errors.ts';
import { issueMessage, validationMessages } from './validation-messages.ts';

/**
 * Checks the fields of a JSON body or a form. Call it after the resource in the path is known to exist.
 * @param addErrors adds errors beyond the schema, and decides which error of a field is reported
 * @throws {Problem} `invalid`, naming every failing field; nested ones with dots and indexes.
 */
export function parseBody<T extends z.ZodType>(
  schema: T,
  body: unknown,
  addErrors: (own: FieldErrors) => FieldErrors = (own) => own,
): z.output<T> {
  const parsed = schema.safeParse(body, validationMessages);
  const errors = addErrors(fieldErrors(parsed.error));
  if (!parsed.success || Object.keys(errors).length > 0) throw invalidFields(errors);
  return parsed.data;
}

/** Returns the first message of each failing field. @throws {Problem} `invalid` for an error without a field. */
export function fieldErrors(error: z.ZodError | undefined): FieldErrors {
  const messages = new Map<string, Message>();
  for (const issue of error?.issues ?? []) {
    if (issue.path.length === 0) throw new Problem('invalid', issueMessage(issue));
    const field = issue.path.join('.');
    if (!messages.has(field)) messages.set(field, issueMessage(issue));
  }
  return Object.fromEntries(messages);
}
