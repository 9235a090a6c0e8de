import { z } from 'zod';

/** Hand it to `parse` and `safeParse`: what is wrong is then said in our own words, as `must be …` or `is required`. */
export const inPlainWords = { error: plainMessageOf };

/** The `error` of a schema with a sentence of its own, which what is missing is not told. */
export function unlessMissing(message: string): z.core.$ZodErrorMap {
  return ({ input }) => (input === undefined ? 'is required' : message);
}

/** One sentence without its subject, true of every value that the schema refuses with this issue. */
export function plainMessageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return issue.schema instanceof z.ZodNumber ? numberWords(issue.schema) : typeWords(issue.expected);
    case 'invalid_value':
      return choiceWords(issue.values);
    case 'too_big':
      return limitWords(issue, { words: 'at most', limit: issue.maximum });
    case 'too_small':
      return limitWords(issue, { words: 'at least', limit: issue.minimum });
    case 'invalid_format':
      return formatWords.get(issue.format) ?? 'is not written as it must be';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    default:
      return 'is not one of the values that are allowed here';
  }
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
]);

function typeWords(expected: string): string {
  const name = typeNames.get(expected);
  return name === undefined ? 'is of the wrong type' : `must be ${name}`;
}

function choiceWords(values: readonly unknown[]): string {
  const listed = values.map(String).join(', ');
  return values.length === 1 ? `must be ${listed}` : `must be one of ${listed}`;
}

const formatWords: ReadonlyMap<string, string> = new Map([
  ['guid', 'must be a uuid'],
  ['uuid', 'must be a uuid'],
  ['date', 'must be a calendar date written YYYY-MM-DD'],
  ['datetime', 'must be a time written YYYY-MM-DDThh:mm:ssZ'],
  ['url', 'must be a URL with its scheme in front, such as https://maps.example'],
]);

/** The whole range at once: who is told only of the end that was passed may run into the other one next. */
function numberWords({ isInt, minValue, maxValue }: z.ZodNumber): string {
  const noun = isInt ? 'must be a whole number' : 'must be a number';
  const hasMin = minValue !== null && minValue > Number.MIN_SAFE_INTEGER;
  const hasMax = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  if (hasMin && hasMax) return `${noun} from ${minValue} to ${maxValue}`;
  if (hasMin) return `${noun} of ${minValue} or more`;
  if (hasMax) return `${noun} of ${maxValue} or less`;
  return noun;
}

type SizeIssue = z.core.$ZodRawIssue<z.core.$ZodIssueTooBig> | z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>;

function limitWords(issue: SizeIssue, { words, limit }: { words: string; limit: number | bigint }): string {
  if (issue.schema instanceof z.ZodNumber) return numberWords(issue.schema);
  const amount = `${issue.exact === true ? 'exactly' : words} ${limit}`;
  const one = Number(limit) === 1;
  if (issue.origin === 'string') return `must have ${amount} ${one ? 'character' : 'characters'}`;
  if (issue.origin === 'array' || issue.origin === 'set')
    return `must have ${amount} ${one ? 'item' : 'items'}`;
  return `must be ${amount}`;
}
