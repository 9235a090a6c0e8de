import { z } from 'zod';
import { Message, messageText } from '../lib/message.ts';
import { fieldFaults } from '../messages/request/english.ts';

/** Makes `parse` and `safeParse` describe every issue in the service's own words. */
export const validationMessages = { error: (issue: z.core.$ZodRawIssue) => messageText(messageOf(issue)) };

/** Returns the `error` of a schema with its own message; a missing value is still reported as required. */
export function unlessMissing(message: Message): z.core.$ZodErrorMap {
  return ({ input }) => messageText(input === undefined ? fieldFaults.missing : message);
}

/** Reads the message of an issue, whose text is the only content that zod carries: output of `messageText`, or plain English. */
export function issueMessage({ message }: Pick<z.core.$ZodIssue, 'message'>): Message {
  try {
    const { english, sentence } = JSON.parse(message);
    return new Message(english, sentence);
  } catch {
    return new Message(message);
  }
}

function messageOf(issue: z.core.$ZodRawIssue): Message {
  if (issue.input === undefined) return fieldFaults.missing;
  switch (issue.code) {
    case 'invalid_type':
      if (issue.schema instanceof z.ZodNumber) return rangeMessage(issue.schema);
      return fieldFaults.wrongType(issue.expected);
    case 'invalid_value':
      return fieldFaults.notAmong(issue.values);
    case 'too_big':
      return sizeMessage(issue, 'at most', issue.maximum);
    case 'too_small':
      return sizeMessage(issue, 'at least', issue.minimum);
    case 'invalid_format':
      return fieldFaults.wrongFormat(issue.format);
    case 'not_multiple_of':
      return fieldFaults.notMultipleOf(issue.divisor);
    case 'unrecognized_keys':
      return fieldFaults.unknownKeys(issue.keys);
    default:
      return fieldFaults.notAllowed;
  }
}

function rangeMessage({ isInt, minValue, maxValue }: z.ZodNumber): Message {
  const min = minValue !== null && minValue > Number.MIN_SAFE_INTEGER ? minValue : undefined;
  const max = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER ? maxValue : undefined;
  return fieldFaults.outOfRange(min, max, isInt);
}

type SizeIssue = z.core.$ZodRawIssue<z.core.$ZodIssueTooBig> | z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>;

function sizeMessage(issue: SizeIssue, inexactBound: string, limit: number | bigint): Message {
  if (issue.schema instanceof z.ZodNumber) return rangeMessage(issue.schema);
  const bound = issue.exact === true ? 'exactly' : inexactBound;
  if (issue.origin === 'string') return fieldFaults.wrongCount('character', bound, limit);
  if (issue.origin === 'array' || issue.origin === 'set') return fieldFaults.wrongCount('item', bound, limit);
  return fieldFaults.wrongSize(bound, limit);
}
