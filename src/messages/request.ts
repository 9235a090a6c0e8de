import { problem } from './define.ts';

/** What is wrong with a request's body, before anything in it is looked at. */
export const bodyProblems = {
  cutShort: problem('malformed', () => 'the body was cut short'),
  tooLarge: problem('too_large', (maxBytes: number) => `the body must have at most ${maxBytes} bytes`),
  nestedTooDeep: problem(
    'malformed',
    (levels: number) => `the body must not be nested deeper than ${levels}`,
  ),
  notUtf8: problem('malformed', () => 'the body is not UTF-8'),
  notJson: problem('malformed', () => 'the body is not JSON'),
  notAnObject: problem('malformed', () => 'the body must be a JSON object'),
};
