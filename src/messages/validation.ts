import { sentences } from './define.ts';

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

const formatNames: ReadonlyMap<string, string> = new Map([
  ['guid', 'a uuid'],
  ['uuid', 'a uuid'],
  ['date', 'a calendar date written YYYY-MM-DD'],
  ['datetime', 'a time written YYYY-MM-DDThh:mm:ssZ'],
  ['url', 'a URL with its scheme in front, such as https://maps.example'],
]);

/** Faults of the value of a field, without its name. */
export const fieldFaults = sentences('field', {
  missing: 'is required',
  blank: 'must not be blank',
  repeated: 'was sent more than once',
  notStorable: 'must not contain U+0000 or half a surrogate pair',
  beforeYearOne: 'must not be before 0001-01-01',
  notAllowed: 'is not one of the allowed values',
  tooManyCharacters: (max: number) => `must have at most ${max} characters`,
  wrongType: (expected: string) =>
    typeNames.has(expected) ? `must be ${typeNames.get(expected)}` : 'is of the wrong type',
  wrongFormat: (format: string) =>
    formatNames.has(format) ? `must be ${formatNames.get(format)}` : 'does not have the required format',
  notAmong: (choices: readonly unknown[]) =>
    `must be ${choices.length === 1 ? '' : 'one of '}${choices.map(String).join(', ')}`,
  escaped: 'must be written without % escapes',
  notMultipleOf: (divisor: number | bigint) => `must be a multiple of ${divisor}`,
  unknownKeys: (keys: readonly string[]) => `must not have ${keys.join(', ')}`,
  wrongCount: (noun: 'character' | 'item', bound: string, limit: number | bigint) =>
    `must have ${bound} ${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`,
  wrongSize: (bound: string, limit: number | bigint) => `must be ${bound} ${limit}`,
  /** Names the whole range: a client that is told of one end only may miss the other one next. */
  outOfRange(min: number | undefined, max: number | undefined, isInteger = true): string {
    const noun = isInteger ? 'must be a whole number' : 'must be a number';
    if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
    if (min !== undefined) return `${noun} of ${min} or more`;
    return max === undefined ? noun : `${noun} of ${max} or less`;
  },
});
