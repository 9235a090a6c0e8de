import type { z } from 'zod';
import type { Problem } from '../lib/errors.ts';
import { fieldFaults, requestProblems } from '../messages/request/english.ts';
import { standardFaults } from '../messages/standards/english.ts';
import { fieldErrors } from './parse-body.ts';
import { validationMessages } from './validation-messages.ts';

/** Checks headers. Call it after the resource in the path is known to exist. @throws {Problem} `malformed`, naming every failing header. */
export function parseParameters<T extends z.ZodType>(schema: T, sent: unknown): z.output<T> {
  const parsed = schema.safeParse(sent, validationMessages);
  if (!parsed.success) throw wrongParameters(parsed.error, sent);
  return parsed.data;
}

/** No parameter is a list: an array means that it was sent more than once. */
export function wrongParameters(error: z.ZodError, sent: unknown): Problem {
  const unknown = error.issues.flatMap((issue) => (isUnknown(issue) ? issue.keys : []));
  if (unknown.length > 0)
    return requestProblems.wrongParameters(
      Object.fromEntries(unknown.map((name) => [name, standardFaults.unknownParameter])),
    );
  const faults = { ...fieldErrors(error) };
  for (const [name, value] of Object.entries(Object(sent))) {
    if (name in faults && Array.isArray(value)) faults[name] = fieldFaults.repeated;
  }
  return requestProblems.wrongParameters(faults);
}

/** Returns whether an issue is about unknown parameters. */
function isUnknown(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueUnrecognizedKeys {
  return issue.code === 'unrecognized_keys' && issue.path.length === 0;
}
