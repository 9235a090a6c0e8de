import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Dataset, ServiceClient } from '../client/service-client.ts';
import { type Demo, demonstrateLandscape } from './landscape.ts';

const shownObservations = 5;

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
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

/**
 * Takes three real files and the Landscape Program through the service and prints what came out of them, as a newcomer wants
 * to see it. Run again, it uses the same category and the same slots.
 * @throws {Error} when one of them does not come out.
 */
export async function runDemo({ client, print }: Demo): Promise<void> {
  const categoryId = await client.openCategory('demo', 'Demo');
  const upload = async (title: string, file: string, fileType: string, name: string): Promise<Dataset> => {
    print(`\n${title}\n  POST /datasets  examples/${file} as ${fileType}`);
    const fields = { category_id: categoryId, file_type: fileType, name };
    const { id, status } = await client.upload(example(file), fields);
    return await done(client, id, status, print);
  };

  await showRelief(
    await upload(
      'A raster: elevation around the Zhabay river',
      'zhabay-dem.tif',
      'raster',
      'Рельеф, р. Жабай',
    ),
    { client, print },
  );
  await showDistricts(
    await upload(
      'A zipped shapefile in windows-1251: the districts of Akmola region',
      'akmola-rayony.zip',
      'vector',
      'Районы Акмолинской области',
    ),
    { client, print },
  );
  await showRates(
    await upload(
      'A table by KATO: tax rates of 2026 by district',
      'tax-rate-2026-by-district.geojson',
      'vector_with_kato',
      'Ставки налога 2026',
    ),
    { client, print },
  );
  await demonstrateLandscape({ client, print });
  print(`\nAll datasets of the demo: ${client.baseUrl}/datasets?category_code=demo`);
  print(`The interface: ${client.baseUrl}/docs`);
}

async function done(
  client: ServiceClient,
  id: string,
  first: string,
  print: Demo['print'],
): Promise<Dataset> {
  const dataset = await client.processed(id, first);
  print(`  ${first} -> ${dataset.status}`);
  return dataset;
}

async function showRelief({ id, bbox }: Dataset, { client, print }: Demo): Promise<void> {
  print(`  bbox  ${bbox?.join(', ') ?? 'unknown'} (west, south, east, north)`);
  print(`  COG   ${client.baseUrl}/datasets/${id}.cog`);
  print(`        in QGIS: Layer > Add Raster Layer > Protocol HTTP(S), this URL; only what is drawn is read`);
}

async function showDistricts({ id }: Dataset, { client, print }: Demo): Promise<void> {
  const [feature] = Collection.parse(JSON.parse(await client.geoJson(id))).features;
  const rows = z.array(District).parse(feature?.properties['rows']);
  print(`  1 feature, a ${feature?.geometry?.type ?? 'nothing'} dissolved from ${rows.length} districts:`);
  print(`  ${rows.map((row) => row.ADM2_RU).join(', ')}`);
  print(`  GeoJSON  ${client.baseUrl}/datasets/${id}.geojson`);
}

async function showRates(
  { id, attribute_columns: columns }: Dataset,
  { client, print }: Demo,
): Promise<void> {
  print(`  columns  ${columns?.map(({ name }) => name).join(', ') ?? 'none'}`);
  const period = { start_date: '2026-01-01', end_date: '2026-12-31' };
  print(`  POST /datasets/${id}/mapping  kato, and rate_2026 for ${period.start_date} to ${period.end_date}`);
  const { status } = await client.map(id, 'kato', [{ column: 'rate_2026', ...period }]);
  await done(client, id, status, print);

  const { features } = Collection.parse(JSON.parse(await client.geoJson(id)));
  const units = features.map(({ properties }) => KatoFeature.parse(properties));
  const nameOf = new Map(units.map(({ kato, name }) => [kato, name]));
  const { data, total } = await client.observations(id, shownObservations);
  print(
    `  ${total} observations, ${features.length} of them with a district on the map; the first ${data.length}:`,
  );
  for (const { kato_code: kato, start_date: from, end_date: to, value, value_text: text } of data) {
    print(
      `    ${kato}  ${from}..${to ?? ''}  ${value ?? text ?? 'empty'}  ${nameOf.get(kato) ?? 'no such unit'}`,
    );
  }
  print(`  GeoJSON       ${client.baseUrl}/datasets/${id}.geojson`);
  print(`  observations  ${client.baseUrl}/datasets/${id}/observations`);
}
