import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { listItems, uploadableExtensions } from '../clients/survey/files.ts';
import { type OptionValues, UsageError } from './options.ts';

const defaultParallel = 4;
const maxParallel = 64;

export const surveyOptions = {
  verify: { type: 'boolean' },
  delete: { type: 'boolean' },
  'base-url': { type: 'string' },
  parallel: { type: 'string' },
  report: { type: 'string' },
} as const;

/**
 * Reads what a survey is asked to do, and finds the files that it is about.
 * @throws {Error} when that would come to nothing, before any service is asked.
 */
export async function readSurveyArguments(
  values: OptionValues<typeof surveyOptions>,
  [path]: readonly string[],
) {
  if (path === undefined) throw new UsageError('say which folder to survey');
  const parallel = Number(values.parallel ?? defaultParallel);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > maxParallel) {
    throw new UsageError(`--parallel: a whole number from 1 to ${maxParallel}`);
  }
  const { report } = values;
  if (report !== undefined) await requireFolder(dirname(resolve(report)), '--report: ');
  const folder = resolve(path);
  await requireFolder(folder, '');
  const { items, leftOut } = await listItems(folder);
  if (items.length === 0) {
    throw new Error(
      `no file in ${folder} can be uploaded; a survey takes ${uploadableExtensions.join(', ')}`,
    );
  }
  return {
    items,
    leftOut,
    verify: values.verify === true,
    discard: values.delete === true,
    parallel,
    report,
  };
}

async function requireFolder(folder: string, before: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`${before}there is no folder ${folder}`);
}
