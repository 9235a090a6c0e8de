/** The needs of test files in addition to Node.js and the binding, and their tiers. */
import { globSync } from 'node:fs';
import { projectRoot } from '../../test/support/project.ts';
import { readImports } from './reach.ts';

/** Needs of test files, by the module that provides them. */
const gates = {
  'test/support/database.ts': 'database',
  'test/support/service.ts': 'service',
  'test/support/services/programs.ts': 'servers',
  'test/support/browser/browser-if-there.ts': 'browser if there',
  'test/support/browser/chromium.ts': 'browser',
  'test/support/tools/paste.ts': 'curl',
  'test/support/tools/python-tools.ts': 'python',
  'scripts/debian-packages.ts': 'packages',
  'test/support/deploy/image.ts': 'image',
  'test/support/geo/engine-here.ts': 'engineHere',
  'test/support/geo/raster-engine-here.ts': 'rasterEngineHere',
  'test/support/geo/engine.ts': 'engine',
  'test/support/landscape/landscape-engine.ts': 'engine',
  'test/console/shared.ts': 'sharedPage',
  'test/support/tier.ts': 'tier',
} as const;

export type Need = (typeof gates)[keyof typeof gates];

/** The tiers with their commands; a file belongs to the first tier that provides its needs. */
export const tiers = {
  long: 'npm run test:long',
  services: 'npm run test:services',
  clients: 'npm run test:clients',
  page: 'npm run test:page',
  short: 'npm test',
} as const;

export type Tier = keyof typeof tiers;

/** Files that take minutes or gigabytes. */
const takesLong = /\.long\.test\.ts$/;

/** Program files do not import tests. */
const reachableFrom = readImports((path) => /^(?:test|scripts)\/|\.for-tests\.ts$/.test(path));

/** Lists all test files, from the root of the project. */
export function listTestFiles(): readonly string[] {
  return globSync('{src,common,test,console/src,tools,scripts}/**/*.test.ts', {
    cwd: projectRoot,
  }).toSorted();
}

/** Lists the needs of a test file by its direct and indirect imports. */
export function needsOf(file: string): ReadonlySet<Need> {
  const needs = new Set<Need>();
  for (const path of reachableFrom(file))
    for (const [gate, need] of Object.entries(gates)) if (gate === path) needs.add(need);
  // The walk through the page is skipped without a browser.
  if (needs.has('browser if there')) needs.delete('browser');
  return needs;
}

/** Derives the tier of a test file from what it needs: minutes, servers, other programs, a browser, or nothing more. */
export function tierOf(file: string): Tier {
  const needs = needsOf(file);
  if (takesLong.test(file)) return 'long';
  if (needs.has('servers')) return 'services';
  if (needs.has('python') || needs.has('packages') || needs.has('image')) return 'clients';
  return needs.has('browser') ? 'page' : 'short';
}

/** Returns whether a tier runs a file: a file of the tier or, in the long tier, also a repeating file of `npm test`. */
export function isOfTier(file: string, tier: Tier): boolean {
  const own = tierOf(file);
  return own === tier || (tier === 'long' && own === 'short' && needsOf(file).has('tier'));
}
