import { mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { type UnitLevel, unitLevels } from '../../common/maps/units/levels.ts';
import { importDistricts, restoreDistricts } from '../units/import.ts';
import type { DistrictCounts, Replacement } from '../units/change.ts';
import { openEngineChildren } from '../runtime/engines.ts';
import type { Database } from '../database/tables/tables.ts';
import { createGdalEngine } from '../geo/parent/gdal-engine.ts';
import { formatNumber } from '../../common/formats/numbers.ts';
import type { Cover } from '../units/cover.ts';
import type { LevelReport, MeasuredCover } from '../units/import-report.ts';
import { commandFailures, importReport, usageMistakes } from '../messages/service/english.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { type OptionValues, UsageError } from './options.ts';
import { withComponents } from './with-components.ts';

const usage = `Usage: ./steppe districts import FILE --kato COLUMN --name COLUMN
         [--name-kk COLUMN] [--name-en COLUMN]
         [--level republic|region|district|okrug|settlement]
         [--valid-from COLUMN] [--valid-to COLUMN]
         [--replace | --replace-all-levels] [--dry-run]
       ./steppe districts restore [--replace] [--dry-run]

"import" takes administrative units from a vector file (.geojson, .gpkg, .zip): one area and one code of digits per row.
Units that are there already are changed, new ones added; --replace removes those of its levels that the file does not
have. It is refused when all regions or all districts would go because the file has none; --replace-all-levels removes
those too, and all other levels. Without --level a unit has the level that it has, or that of its code in the classifier
NK RK 11-2025; a code of two digits and seven zeros is a region. All rows are checked before anything changes.
A report compares the units with the classifier and with the borders of the level above: land that none covers (gaps),
land in several (overlaps) and land outside. They are imported all the same.
--valid-from and --valid-to name columns of days (2022-06-08): since when a unit has been so, and the first day on which it is
no more. A unit that has ended is kept beside those of today, with its borders, for maps of its days.

"restore" brings back the 244 units of the first start as they were. Other units stay, unless --replace removes them.

--dry-run checks all the same, says what would change, and changes nothing.`;

const options = {
  kato: { type: 'string' },
  name: { type: 'string' },
  'name-kk': { type: 'string' },
  'name-en': { type: 'string' },
  level: { type: 'string' },
  'valid-from': { type: 'string' },
  'valid-to': { type: 'string' },
  replace: { type: 'boolean' },
  'replace-all-levels': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

type Values = OptionValues<typeof options>;

const extensions: readonly string[] = ['.geojson', '.gpkg', '.zip'];
const optionsOfRestore: readonly string[] = ['replace', 'dry-run'];

/** Imports administrative units or restores the initial ones; works with or without a running service. */
export const districts = defineCommand({
  name: 'districts',
  summary: 'import administrative units from a file, or restore the first ones',
  usage,
  isQuiet: true,
  options,
  maxArguments: 2,
  async run({ values, positionals, ...context }) {
    const change = await readChange(values, positionals);
    try {
      const { counts, report } = await withComponents(
        context,
        async ({ db }) => await apply(change, db, context),
      );
      process.stdout.write(report.flatMap(describeLevel).join('') + describe(counts, change.wanted.dryRun));
      return 0;
    } catch (error) {
      if (!context.shutdown.aborted) throw error;
      process.stderr.write('steppe: stopped; nothing was changed\n');
      return 1;
    }
  },
});

/** @throws {Error} if the arguments are wrong, or the file cannot be a list of units. */
async function readChange(values: Values, [action, file]: readonly string[]) {
  const wanted = { replacement: readReplacement(values), dryRun: values['dry-run'] === true };
  switch (action) {
    case 'import':
      return { inputPath: await readFile(file), wanted: { ...readColumns(values), ...wanted } };
    case 'restore': {
      if (file !== undefined) throw new UsageError(usageMistakes.surplusArgument(file));
      const surplus = Object.keys(values).find((option) => !optionsOfRestore.includes(option));
      if (surplus !== undefined)
        throw new UsageError(usageMistakes.optionOfOther(surplus, 'districts import'));
      return { inputPath: undefined, wanted };
    }
    default:
      throw new UsageError(usageMistakes.noDistrictsAction);
  }
}

async function apply(
  change: Awaited<ReturnType<typeof readChange>>,
  db: Database,
  { config, log, shutdown: signal }: CommandContext,
): Promise<{ readonly counts: DistrictCounts; readonly report: readonly LevelReport[] }> {
  if (change.inputPath === undefined)
    return { counts: await restoreDistricts({ db, signal }, change.wanted), report: [] };
  const engine = createGdalEngine(await openEngineChildren(config, log));
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'steppe-districts-'));
  const { inputPath, wanted } = change;
  return await importDistricts({ db, engine }, { inputPath, scratch: scratch.path, signal }, wanted);
}

function readReplacement(values: Values): Replacement {
  if (values['replace-all-levels'] === true) return 'all-levels';
  return values.replace === true ? 'given-levels' : 'none';
}

function readColumns({ kato, name, level, ...names }: Values) {
  if (kato === undefined || name === undefined) throw new UsageError(usageMistakes.noDistrictsColumns);
  return {
    kato,
    name,
    nameKk: names['name-kk'],
    nameEn: names['name-en'],
    validFrom: names['valid-from'],
    validTo: names['valid-to'],
    level: readLevel(level),
  };
}

function readLevel(level: string | undefined): UnitLevel | undefined {
  const known = unitLevels.find((each) => each === level);
  if (level !== undefined && known === undefined) throw new UsageError(usageMistakes.unknownLevel);
  return known;
}

async function readFile(path: string | undefined): Promise<string> {
  if (path === undefined) throw new UsageError(usageMistakes.noDistrictsFile);
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new Error(commandFailures.noFile(file));
  if (!extensions.includes(extname(file).toLowerCase())) {
    throw new Error(commandFailures.wrongExtension(file, extensions));
  }
  return file;
}

const [maxListedCodes, maxListedUnits] = [10, 10];
/** Share of the land of a unit above from which it is listed by name. */
const listedShare = 0.001;

/** Writes areas to three digits. Settlements are not meant to cover a district. */
function inWords(level: UnitLevel, { area, gaps, overlaps, outside }: Cover) {
  const written = (each: number) =>
    `${formatNumber(Number(each.toPrecision(3)), 'en', each < 10 ? 2 : each < 100 ? 1 : 0)} km²`;
  return {
    area: written(area),
    gaps: level === 'settlement' ? undefined : written(gaps),
    overlaps: written(overlaps),
    outside: written(outside),
  };
}

/** Writes the lines of a report about a level. */
function describeLevel({ level, covers, unmeasured, ...report }: LevelReport): string[] {
  const { unknownCodes, otherLevel, moved, bordered, classified } = report;
  const sum = (of: (cover: MeasuredCover) => number) => covers.reduce((all, cover) => all + of(cover), 0);
  const faultOf = (cover: MeasuredCover) =>
    (level === 'settlement' ? 0 : cover.gaps) + cover.overlaps + cover.outside;
  const worst = covers
    .filter((cover) => faultOf(cover) > listedShare * cover.area)
    .toSorted((one, other) => faultOf(other) / other.area - faultOf(one) / one.area);
  const total = { area: sum(({ area }) => area), gaps: sum(({ gaps }) => gaps) };
  const whole = {
    ...total,
    overlaps: sum(({ overlaps }) => overlaps),
    outside: sum(({ outside }) => outside),
  };
  return [
    importReport.level(level, { bordered, classified }),
    ...(unknownCodes.length === 0 ? [] : [importReport.unknownCodes(unknownCodes, maxListedCodes)]),
    ...(otherLevel.length === 0 ? [] : [importReport.otherLevel(otherLevel, maxListedCodes)]),
    ...(moved.length === 0 ? [] : [importReport.moved(moved, maxListedCodes)]),
    ...(unmeasured === 0 || level === 'region' ? [] : [importReport.unmeasured(unmeasured)]),
    ...(covers.length === 0 ? [] : [importReport.cover(covers.length, inWords(level, whole))]),
    ...worst.slice(0, maxListedUnits).map((cover) => importReport.unit(cover, inWords(level, cover))),
    ...(worst.length > maxListedUnits ? [importReport.more(worst.length - maxListedUnits)] : []),
  ].map((line) => `${line}\n`);
}

function describe({ total, added, changed, removed, former = 0 }: DistrictCounts, dryRun: boolean): string {
  const past = former === 0 ? '' : ` ${former} of before added or changed.`;
  const sentence = `${total} units: ${added} added, ${changed} changed, ${removed} removed.${past}\n`;
  return dryRun
    ? `${sentence}Nothing was changed: this is what it would be without --dry-run.\n`
    : `${sentence}Maps of tables by KATO show them from their next request on.\n`;
}
