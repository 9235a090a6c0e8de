import { invalid, sentences } from './define.ts';

/** Reasons why the geo engine gives up a file. */
export const engineProblems = sentences('engine', {
  overDeadline: invalid(
    (minutes: number) =>
      `The file took longer than the ${minutes} minutes allowed for processing; upload a smaller or simpler one.`,
  ),
  overProcessorTime: invalid(
    () =>
      'The file took more computing time than a file of its size may; upload a simpler one, or its parts one by one.',
  ),
  unpacksTooLarge: invalid(
    (maxGiB: number) =>
      `What the file unpacks to is larger than the ${maxGiB} GiB allowed for a file of its size; upload it in parts.`,
  ),
  needsMemory: invalid(
    () =>
      'The file is damaged, or needs more memory than one file is given: check it, make it simpler or smaller, and upload it again.',
  ),
  longColumnNames: invalid(
    () =>
      'The names of the columns have more than a million characters together; shorten them, and upload the file again.',
  ),
});

/** What GDAL says of a file beside that; its words stay English. */
export const engineWarnings = sentences('engine_warning', {
  gdal: (text: string, times: number) =>
    times === 1 ? `GDAL also says: ${text}` : `GDAL also says (${times} times): ${text}`,
  more: (warnings: number) =>
    warnings === 1
      ? 'GDAL has one more warning, in other words.'
      : `GDAL has ${warnings} more warnings, in other words.`,
});
