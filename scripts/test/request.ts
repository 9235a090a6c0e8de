/** Reads the command line of the test commands: a tier, or files and folders. */
import { readOptions, UsageError } from '../../src/commands/options.ts';
import { readProjectFile } from '../../test/support/project.ts';
import { isOfTier, listTestFiles, type Tier, tierOf, tiers } from './needs.ts';

export interface TestRequest {
  readonly tier: Tier;
  /** Test files from the root of the project. */
  readonly files: readonly string[];
  /** True for all files of the tier. */
  readonly isWhole: boolean;
  /** The time for repeating tests in minutes; undefined for a fixed number of repetitions. */
  readonly minutes: number | undefined;
  /** True if the processor time of each file is recorded in the repository. */
  readonly keepsCosts: boolean;
}

/** Default minutes for repetitions of a tier; none for tiers with few repetitions. */
const usualMinutes: Partial<Record<Tier, number>> = { long: 10, services: 10 };

export const usage = `Usage: npm test [-- [--costs] PATH...]
       npm run test:services|test:clients|test:page|test:long [-- [--costs] [--minutes N|all] PATH...]

Runs the tests of its tier in these files and folders, or all of them. A file that is named runs whatever its tier is.
  --minutes N  repeats kills, damaged files and the like for N minutes, or in their full numbers with "all"
  --costs      keeps the processor time of each file in test/costs.json`;

const options = {
  tier: { type: 'string' },
  minutes: { type: 'string' },
  costs: { type: 'boolean' },
} as const;

/**
 * Reads a command line: the tier in `--tier`, which package.json sets, and the user's arguments.
 * @throws {UsageError}
 */
export function readRequest(args: readonly string[]): TestRequest {
  const { values, positionals } = readOptions(args, options, Infinity);
  const tier = values.tier ?? 'short';
  if (!isTier(tier)) throw new UsageError(`no tier "${tier}": ${Object.keys(tiers).join(', ')}`);
  const wanted = positionals.map((path) => path.replace(/^\.\/|\/$/g, ''));
  const all = listTestFiles();
  const isIn = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);
  const files = all.filter(
    (file) =>
      wanted.includes(file) ||
      (isOfTier(file, tier) && (wanted.length === 0 || wanted.some((path) => isIn(file, path)))),
  );
  const empty = wanted.filter((path) => !files.some((file) => isIn(file, path)));
  if (empty.length > 0) {
    const others = all
      .filter((file) => empty.some((path) => isIn(file, path)))
      .map((file) => tiers[tierOf(file)]);
    const hint = others.length === 0 ? '' : ` of this tier; ${[...new Set(others)].join(' and ')} has some`;
    throw new UsageError(`there are no tests in ${empty.join(', ')}${hint}`);
  }
  return {
    tier,
    files,
    isWhole: wanted.length === 0,
    minutes: minutesOf(values.minutes, tier),
    keepsCosts: values.costs === true,
  };
}

const isTier = (text: string): text is Tier => Object.hasOwn(tiers, text);

function minutesOf(text: string | undefined, tier: Tier): number | undefined {
  if (text === undefined) return usualMinutes[tier];
  if (text === 'all') return undefined;
  const minutes = Number(text);
  if (!(minutes > 0)) throw new UsageError(`--minutes ${text}: a number above 0, or "all"`);
  return minutes;
}

/** Returns whether a file repeats its tests until the minutes are over. */
export function repeatsUntilTheEnd(file: string): boolean {
  return readProjectFile(file).includes('isTimeUp()');
}
