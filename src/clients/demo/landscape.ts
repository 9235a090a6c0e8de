import { fileURLToPath } from 'node:url';
import { clientFailures } from '../../messages/clients.ts';
import type { Run, ServiceClient } from '../client/service-client.ts';

export interface Demo {
  readonly client: ServiceClient;
  print(line: string): void;
}

const slotPrefix = 'landscape-in-';
const zoningNode = '34';

/**
 * Fills the slots of the Landscape Program that are empty with the example leaves, runs the graph and prints where its zoning
 * is. Run again, it uploads nothing, and the run reuses what there is.
 * @throws {Error} when a leaf does not become ready, or the run fails.
 */
export async function demonstrateLandscape(demo: Demo): Promise<void> {
  const { client, print } = demo;
  print(`\nThe Landscape Program: rasters of relief, climate, soil and land use in, a zoning out`);
  await fillSlots(demo);
  print('  POST /landscape/runs');
  const begin = performance.now();
  const run = await client.finishedRun();
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  print(`  queued -> ${run.status} after ${seconds} s: ${describeNodes(run)}`);
  if (run.status === 'failed') throw new Error(clientFailures.runFailed(run.error ?? ''));
  printZoning(run, demo);
}

/** Leaves slots as they are that hold something: it may be somebody's own data. */
async function fillSlots({ client, print }: Demo): Promise<void> {
  const slots = await client.slots();
  const datasets: { readonly id: string; readonly status: string }[] = [];
  let uploads = 0;
  for (const { code, latest } of slots) {
    if (latest !== null && latest.status !== 'failed') {
      datasets.push(latest);
      continue;
    }
    const file = `landscape/${code.slice(slotPrefix.length)}.tif`;
    print(`  POST /landscape/slots/${code}  examples/${file}`);
    const path = fileURLToPath(new URL(`../../../examples/${file}`, import.meta.url));
    datasets.push(await client.fillSlot(code, path, { name: `${code} (example)` }));
    uploads += 1;
  }
  print(`  ${uploads} slots filled, ${slots.length - uploads} were filled before`);
  for (const { id, status } of datasets) await client.processed(id, status);
}

function describeNodes({ nodes }: Run): string {
  const count = (wanted: string): number => nodes.filter(({ status }) => status === wanted).length;
  const [computed, reused] = [count('succeeded'), count('skipped')];
  if (reused === nodes.length)
    return `nothing has changed, all ${reused} rasters of an earlier run were reused`;
  return `${computed} rasters computed, ${reused} reused`;
}

function printZoning({ id, nodes }: Run, { client, print }: Demo): void {
  const zoning = nodes.find(({ node_code: code }) => code === zoningNode)?.outputs?.[0]?.dataset_id;
  print(`  run      ${client.baseUrl}/landscape/runs/${id}`);
  print(`  zoning   ${client.baseUrl}/datasets/${zoning}.cog`);
  print(`  legend   ${client.baseUrl}/datasets/${zoning}/sld`);
  print(
    `           in QGIS: add the zoning as above, save the legend as a file, Properties > Symbology > Style > Load Style`,
  );
  print(`  results  ${client.baseUrl}/landscape/results`);
}
