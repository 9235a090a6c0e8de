import { conflict, invalid, problem, sentences } from './base/define.ts';

export const eventFaults = sentences('event_fault', {
  notAnEvent: 'must be the id of an event',
  notAPlace: 'must be the id of an event, or 0 for all events that are kept',
  notTypes: (types: readonly string[]) => `must have some of ${types.join(', ')}, separated by commas`,
});

export const eventProblems = sentences('event', {
  tooManyListeners: problem('busy', () => 'too many clients listen to events; try again later'),
});

export const webhookProblems = sentences('webhook', {
  notFound: problem('not_found', () => 'no such webhook'),
  tooMany: conflict((most: number) => `there are ${most} webhooks already; delete one that is not needed`),
  tooManySecrets: conflict(
    (most: number) =>
      `messages of this webhook are signed with ${most} earlier secrets already; keep_hours 0 ends them`,
  ),
  testsWait: conflict((count: number) => `${count} tests of this webhook wait to be sent`),
  nothingToChange: invalid(
    (fields: readonly string[]) => `the body must have at least one of ${fields.join(', ')}`,
  ),
});

export const webhookFaults = sentences('webhook_fault', {
  notUrl:
    'must be an https URL without user, password and fragment, of at most 2000 characters, such as https://maps.example/hooks',
  privateUrl:
    'must be an https URL that does not lead into a private network; WEBHOOK_ALLOWED_NETWORKS can allow networks',
});
