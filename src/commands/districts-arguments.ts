import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Replacement } from '../catalogue/districts/plan.ts';
import { type OptionValues, UsageError } from './options.ts';

export const districtsOptions = {
  kato: { type: 'string' },
  name: { type: 'string' },
  'name-kk': { type: 'string' },
  'name-en': { type: 'string' },
  level: { type: 'string' },
  replace: { type: 'boolean' },
  'replace-all-levels': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

type Values = OptionValues<typeof districtsOptions>;

const extensions: readonly string[] = ['.geojson', '.gpkg', '.zip'];
const optionsOfRestore: readonly string[] = ['replace', 'dry-run'];

/**
 * Reads what is to be done with districts.
 * @throws {Error} when the command line is wrong, or its file can not be any.
 */
export async function readDistrictsArguments(values: Values, [action, file]: readonly string[]) {
  const options = { replacement: readReplacement(values), dryRun: values['dry-run'] === true };
  switch (action) {
    case 'import':
      return { action, file: await readFile(file), wanted: { ...readColumns(values), ...options } } as const;
    case 'restore': {
      if (file !== undefined) throw new UsageError(`unexpected argument ${file}`);
      const surplus = Object.keys(values).find((option) => !optionsOfRestore.includes(option));
      if (surplus !== undefined) throw new UsageError(`--${surplus} is only for districts import`);
      return { action, wanted: options } as const;
    }
    default:
      throw new UsageError('say what to do with districts: import or restore');
  }
}

function readReplacement(values: Values): Replacement {
  if (values['replace-all-levels'] === true) return 'all-levels';
  return values.replace === true ? 'given-levels' : 'none';
}

function readColumns(values: Values) {
  const { kato, name } = values;
  if (kato === undefined || name === undefined) {
    throw new UsageError('--kato and --name: say which columns hold code and name');
  }
  const names = { nameKk: values['name-kk'], nameEn: values['name-en'] };
  return { kato, name, ...names, level: readLevel(values.level) };
}

function readLevel(level: string | undefined): 'region' | 'district' | undefined {
  if (level === undefined || level === 'region' || level === 'district') return level;
  throw new UsageError('--level: region or district');
}

async function readFile(path: string | undefined): Promise<string> {
  if (path === undefined) throw new UsageError('say which file to import');
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new Error(`there is no file ${file}`);
  if (!extensions.includes(extname(file).toLowerCase())) {
    throw new Error(`${file} has to be one of ${extensions.join(', ')}`);
  }
  return file;
}
