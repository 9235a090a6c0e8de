import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from '../acceptance/support/landscape.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { createLandscapeClient, enlarged, leaves } from '../support/landscape/landscape.ts';
import { projectRoot } from '../support/project.ts';
import { startService } from '../support/service.ts';
import { isLongTier } from '../support/tier.ts';
import { sharedRuns } from './shared.ts';

/** Size in pixels of the zoning that the long tier judges. */
const large = { width: 2400, height: 1760 };

let withLargeRuns: ReturnType<typeof makeLargeRuns> | undefined;

async function exampleOf(leaf: string): Promise<File> {
  const name = `${leaf}.tif`;
  return new File([await readFile(join(projectRoot, 'examples/landscape', name))], name);
}

/** Makes the landscape of the demonstration on a finer grid, that of its elevation. */
async function makeLargeRuns() {
  const { baseUrl } = await closeAfterTests(startService());
  const landscape = createLandscapeClient(baseUrl);
  const files = await Promise.all(leaves.map(async (leaf) => [leaf, await exampleOf(leaf)] as const));
  const dem = await enlarged(await exampleOf('dem'), large.width, large.height);
  await landscape.fillAll({ ...Object.fromEntries(files), dem });
  const first = await landscape.run();
  const strict = await landscape.run({ params: { v1_min_s_e3: 5 } });
  return { baseUrl, landscape, runs: { first, strict } };
}

/** Two runs to judge and compare, made once for all stories; four million pixels in the long tier. */
export async function judgedRuns() {
  if (!isLongTier) return await sharedRuns();
  withLargeRuns ??= makeLargeRuns();
  return await withLargeRuns;
}

/** Dataset of a node's output in a run. */
export function outputOf({ nodes }: Run, code: string): string {
  return nodes.find(({ node_code: each }) => each === code)?.outputs?.[0]?.dataset_id ?? '';
}
