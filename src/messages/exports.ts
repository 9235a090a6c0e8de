import { invalid, problem, sentences } from './base/define.ts';

/** Reasons not to write a file on request, permanently or now. */
export const exportProblems = sentences('export', {
  tooManyWaiting: problem(
    'too_many',
    (most: number) =>
      `${most} files that you asked for are waiting to be written; ask again when some of them have arrived`,
  ),
  holdsTooMuch: problem(
    'too_many',
    (mebibytes: number) =>
      `the files that you are reading take ${mebibytes} MiB, the limit of one client; ask again when some of them have been read`,
  ),
  tooLarge: invalid(
    (mebibytes: number) =>
      `the file would have more than ${mebibytes} MiB; ask for a part of it by kato_code, or for CSV in gzip`,
  ),
  noRoom: problem(
    'busy',
    () => 'the files that others are reading leave no room for this one; ask again in a few seconds',
  ),
  diskFull: problem('unavailable', () => 'the disk of the service has no room for the file; ask again later'),
  tookTooLong: problem(
    'unavailable',
    () => 'the file took more than half an hour to write; ask for a part of it by kato_code',
  ),
  changes: problem('busy', () => 'the dataset has changed while its file was written; ask again'),
});
