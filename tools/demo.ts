import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Dataset, Run, ServiceClient } from './service-client.ts';

const shownObservations = 5;
const slotPrefix = 'landscape-in-';
const zoningNode = '34';

const example = (name: string): string => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
const Collection = z.object({
  features: z.array(
    z.object({
      geometry: z.object({ type: z.string() }).nullable(),
      properties: z.record(z.string(), z.unknown()),
    }),
  ),
});
const KatoFeature = z.object({ kato: z.string(), name: z.string() });
const District = z.object({ ADM2_RU: z.string() });

interface Demo {
  readonly client: ServiceClient;
  print(line: string): void;
}

/**
 * Uploads three real files, runs the Landscape Program, and prints the results for a new user. Later runs use the same category and the
 * same slots.
 * @throws {Error} when processing fails.
 */
export async function runDemo({ client, print }: Demo): Promise<void> {
  const demo = { client, print };
  const categoryId = await client.openCategory('demo', 'Demo');
  const upload = async (file: string, fileType: string, title: string, name: string): Promise<Dataset> => {
    print(`\n${title}\n  POST /datasets  examples/${file} as ${fileType}`);
    const fields = { category_id: categoryId, file_type: fileType, name };
    return await processed(demo, await client.upload(example(file), fields));
  };

  const relief = 'A raster: elevation around the Zhabay river';
  await showRelief(demo, await upload('zhabay-dem.tif', 'raster', relief, 'Рельеф, р. Жабай'));
  const districts = 'A zipped shapefile in windows-1251: the districts of Akmola region';
  await showDistricts(
    demo,
    await upload('akmola-rayony.zip', 'vector', districts, 'Районы Акмолинской области'),
  );
  const [rates, table] = [
    'A table by KATO: tax rates of 2026 by district',
    'tax-rate-2026-by-district.geojson',
  ];
  await showRates(demo, await upload(table, 'vector_with_kato', rates, 'Ставки налога 2026'));
  await showLandscape(demo);
  print(`\nAll datasets of the demo: ${client.baseUrl}/datasets?category_code=demo`);
  print(`The interface: ${client.baseUrl}/docs`);
}

async function processed({ client, print }: Demo, { id, status }: Dataset): Promise<Dataset> {
  const dataset = await client.processed(id, status);
  print(`  ${status} -> ${dataset.status}`);
  return dataset;
}

async function showRelief({ client, print }: Demo, { id, bbox }: Dataset): Promise<void> {
  print(`  bbox  ${bbox?.join(', ') ?? 'unknown'} (west, south, east, north)`);
  print(`  COG   ${client.baseUrl}/datasets/${id}.cog`);
  print(`        in QGIS: Layer > Add Raster Layer > Protocol HTTP(S), this URL; only what is drawn is read`);
}

async function showDistricts({ client, print }: Demo, { id }: Dataset): Promise<void> {
  const [feature] = Collection.parse(JSON.parse(await client.geoJson(id))).features;
  const rows = z.array(District).parse(feature?.properties['rows']);
  print(`  1 feature, a ${feature?.geometry?.type ?? 'nothing'} dissolved from ${rows.length} districts:`);
  print(`  ${rows.map((row) => row.ADM2_RU).join(', ')}`);
  print(`  GeoJSON  ${client.baseUrl}/datasets/${id}.geojson`);
}

async function showRates({ client, print }: Demo, dataset: Dataset): Promise<void> {
  const { id } = dataset;
  print(`  columns  ${dataset.attribute_columns?.map(({ name }) => name).join(', ') ?? 'none'}`);
  const period = { start_date: '2026-01-01', end_date: '2026-12-31' };
  print(`  POST /datasets/${id}/mapping  kato, and rate_2026 for ${period.start_date} to ${period.end_date}`);
  await processed({ client, print }, await client.map(id, 'kato', [{ column: 'rate_2026', ...period }]));

  const { features } = Collection.parse(JSON.parse(await client.geoJson(id)));
  const units = features.map(({ properties }) => KatoFeature.parse(properties));
  const nameOf = new Map(units.map(({ kato, name }) => [kato, name]));
  const { data, total } = await client.observations(id, shownObservations);
  const onMap = `${features.length} of them with a district on the map`;
  print(`  ${total} observations, ${onMap}; the first ${data.length}:`);
  for (const { kato_code: kato, start_date: from, end_date: to, value, value_text: text } of data) {
    const unit = nameOf.get(kato) ?? 'no such unit';
    print(`    ${kato}  ${from}..${to ?? ''}  ${value ?? text ?? 'empty'}  ${unit}`);
  }
  print(`  GeoJSON       ${client.baseUrl}/datasets/${id}.geojson`);
  print(`  observations  ${client.baseUrl}/datasets/${id}/observations`);
}

/** Fills empty slots with the example leaves, runs the graph and prints the address of the zoning. */
async function showLandscape(demo: Demo): Promise<void> {
  const { client, print } = demo;
  print(`\nThe Landscape Program: rasters of relief, climate, soil and land use in, a zoning out`);
  await fillSlots(demo);
  print('  POST /landscape/runs');
  const begin = performance.now();
  const run = await client.finishedRun();
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  print(`  queued -> ${run.status} after ${seconds} s: ${describeNodes(run)}`);
  if (run.status === 'failed') throw new Error(`the run failed: ${run.error ?? ''}`);
  printZoning(demo, run);
}

/** Fills empty slots only: others may contain a user's own data. */
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
    const filled = await client.fillSlot(code, example(file), { name: `${code} (example)` });
    await client.stateOrigin(filled.id, file.endsWith('/dem.tif') ? 'measured' : 'invented');
    datasets.push(filled);
    uploads += 1;
  }
  print(
    `  ${uploads} ${uploads === 1 ? 'slot' : 'slots'} filled, ${slots.length - uploads} were filled before`,
  );
  for (const { id, status } of datasets) await client.processed(id, status);
}

/** Returns the numbers of computed and reused nodes of a run. */
export function describeNodes({ nodes }: Pick<Run, 'nodes'>): string {
  const count = (wanted: string): number => nodes.filter(({ status }) => status === wanted).length;
  const [computed, reused] = [count('succeeded'), count('skipped')];
  return reused === nodes.length
    ? `nothing has changed: what an earlier run made is used again (${reused})`
    : `${computed} ${computed === 1 ? 'raster' : 'rasters'} computed, ${reused} reused`;
}

function printZoning({ client, print }: Demo, { id, nodes }: Run): void {
  const zoning = nodes.find(({ node_code: code }) => code === zoningNode)?.outputs?.[0]?.dataset_id;
  print(`  run      ${client.baseUrl}/landscape/runs/${id}`);
  print(`  zoning   ${client.baseUrl}/datasets/${zoning}.cog`);
  print(`  legend   ${client.baseUrl}/datasets/${zoning}/sld`);
  const menu = 'Properties > Symbology > Style > Load Style';
  print(`           in QGIS: add the zoning as above, save the legend as a file, ${menu}`);
  print(`  results  ${client.baseUrl}/landscape/results`);
}
