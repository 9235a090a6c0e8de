import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from '../acceptance/support/landscape.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { createLandscapeClient, enlarged, leaves } from '../support/landscape.ts';
import { projectRoot } from '../support/project.ts';
import { startService } from '../support/service.ts';
import { isLongTier } from '../support/tier.ts';
import { sharedRuns } from './shared.ts';

/** The size of the zoning that the long tier judges, in pixels. */
const large = { width: 2400, height: 1760 };

async function exampleOf(leaf: string): Promise<File> {
  const name = `${leaf}.tif`;
  return new File([await readFile(join(projectRoot, 'examples/landscape', name))], name);
}

/** The landscape of the demonstration on a finer grid, which is that of its elevation. */
async function makeLargeRun() {
  const { baseUrl } = await closeAfterTests(startService());
  const landscape = createLandscapeClient(baseUrl);
  const files = await Promise.all(leaves.map(async (leaf) => [leaf, await exampleOf(leaf)] as const));
  const dem = await enlarged(await exampleOf('dem'), large.width, large.height);
  await landscape.fillAll({ ...Object.fromEntries(files), dem });
  return { baseUrl, landscape, run: await landscape.run() };
}

async function sharedRun() {
  const { baseUrl, landscape, runs } = await sharedRuns();
  return { baseUrl, landscape, run: runs.first };
}

/** A run whose zoning is judged, of four million pixels in the long tier, and one like it whose zones were given. */
export async function judgedRuns() {
  const judged = isLongTier ? await makeLargeRun() : await sharedRun();
  const zones = outputOf(judged.run, '33');
  const pinned = await judged.landscape.run({ overrides: { 'landscape-33-use-zone': zones } });
  return { ...judged, pinned };
}

function outputOf({ nodes }: Run, code: string): string {
  return nodes.find(({ node_code: each }) => each === code)?.outputs?.[0]?.dataset_id ?? '';
}
