import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { importDistrictsFile } from '../compose/districts.ts';
import { openEngine } from '../compose.ts';
import { defineCommand } from './command.ts';
import { type OptionValues, UsageError } from './options.ts';
import { withComponents } from './with-components.ts';

const usage = `Usage: ./steppe districts import FILE --kato COLUMN --name COLUMN
         [--name-kk COLUMN] [--name-en COLUMN] [--level region|district] [--replace]

Takes administrative units from a vector file (.geojson, .gpkg, .zip): one area and one code per row. Units that are there
already are changed, new ones added; --replace removes those that the file does not have. Without --level a code of two
digits and seven zeros is a region. All rows are checked before anything changes.`;

const options = {
  kato: { type: 'string' },
  name: { type: 'string' },
  'name-kk': { type: 'string' },
  'name-en': { type: 'string' },
  level: { type: 'string' },
  replace: { type: 'boolean' },
} as const;

type Values = OptionValues<typeof options>;

const extensions: readonly string[] = ['.geojson', '.gpkg', '.zip'];

/** Imports administrative units; beside a running service or alone. */
export const districts = defineCommand({
  name: 'districts',
  summary: 'import administrative units from a file',
  usage,
  isQuiet: true,
  options,
  maxArguments: 2,
  async run({ values, positionals, ...surroundings }) {
    const { config, log, shutdown: signal } = surroundings;
    const { file, wanted } = readArguments(values, positionals);
    await requireFile(file);
    try {
      const done = await withComponents(surroundings, async (components) => {
        const engine = await openEngine(config, log);
        return await importDistrictsFile({ components, engine, signal }, file, wanted);
      });
      process.stdout.write(
        `${done.total} units: ${done.added} added, ${done.changed} changed, ${done.removed} removed.\n` +
          'Maps of tables by KATO show them from their next request on.\n',
      );
      return 0;
    } catch (error) {
      if (!signal.aborted) throw error;
      process.stderr.write('steppe: stopped; nothing was changed\n');
      return 1;
    }
  },
});

function readArguments(values: Values, [action, file]: readonly string[]) {
  const { kato, name, replace } = values;
  if (action !== 'import') throw new UsageError('say what to do with districts: import');
  if (file === undefined) throw new UsageError('say which file to import');
  if (kato === undefined || name === undefined) {
    throw new UsageError('--kato and --name: say which columns hold code and name');
  }
  const level = readLevel(values.level);
  const names = { nameKk: values['name-kk'], nameEn: values['name-en'] };
  return { file: resolve(file), wanted: { kato, name, ...names, level, replace: replace === true } };
}

function readLevel(level: string | undefined): 'region' | 'district' | undefined {
  if (level === undefined || level === 'region' || level === 'district') return level;
  throw new UsageError('--level: region or district');
}

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new Error(`there is no file ${file}`);
  if (!extensions.includes(extname(file).toLowerCase())) {
    throw new Error(`${file} has to be one of ${extensions.join(', ')}`);
  }
}
