// Uploads a table and the inputs of the Landscape Program, waits, maps, runs, and reads the zoning:
//   node example.mjs http://127.0.0.1:8080 FOLDER
// The folder is that of the examples of Steppe: a table, and a raster for each slot in `landscape/`. STEPPE_TOKEN is the token, where one is needed.
import { openAsBlob } from 'node:fs';
import { basename, join } from 'node:path';
import {
  createCategory,
  createSteppe,
  getDataset,
  getDatasetAreas,
  getDatasetCog,
  listCategories,
  listLandscapeSlots,
  listObservations,
  requestKey,
  settledDataset,
  settledRun,
  createLandscapeRun,
  submitMapping,
  suggestMapping,
  uploadFile,
} from 'steppe-client';

const [baseUrl = 'http://127.0.0.1:8080', folder = 'examples'] = process.argv.slice(2);
const token = process.env.STEPPE_TOKEN;
const client = createSteppe({ baseUrl, ...(token === undefined ? {} : { token }) });

const open = async (path) => new File([await openAsBlob(path)], basename(path));

// A category, made once.
const code = 'client-example';
const category =
  (await listCategories({ client })).find((each) => each.code === code) ??
  (await createCategory({ client, body: { code, name: 'Example of the client' } }));

// A table by KATO: uploaded, looked at, mapped as the service suggests, extracted.
const file = await open(join(folder, 'population-by-region.geojson'));
const table = await uploadFile(client, file, { file_type: 'vector_with_kato', category_id: category.id });
await settledDataset(client, table.id);
const { kato_column, year_columns } = await suggestMapping({ client, path: { id: table.id } });
await submitMapping({ client, path: { id: table.id }, body: { kato_column, year_columns } });
await settledDataset(client, table.id);
const query = { kato_code: '110000000', page_size: 2 };
const { data, total } = await listObservations({ client, path: { id: table.id }, query });
console.log(`table: ${total} observations of Akmola, the first ${data[0].start_date}: ${data[0].value}`);

// A raster. Pieces are for large files; here they show how it is done.
const relief = await uploadFile(
  client,
  await open(join(folder, 'zhabay-dem.tif')),
  { file_type: 'raster', category_id: category.id, name: 'Relief', meta: { source: 'SRTM' } },
  { piecesFromBytes: 65_536, pieceBytes: 262_144 },
);
console.log(`relief: ${(await settledDataset(client, relief.id)).bbox.join(', ')}`);

// What the service refuses is an error with its sentence.
await getDataset({ client, path: { id: crypto.randomUUID() } }).catch(({ status, message }) =>
  console.log(`refused: ${status}, ${message}`),
);

// The rasters of the Landscape Program, unless its slots are filled.
for (const { code: slot, latest } of await listLandscapeSlots({ client })) {
  if (latest !== null) continue;
  const raster = await open(join(folder, 'landscape', `${slot.replace('landscape-in-', '')}.tif`));
  const uploaded = await uploadFile(client, raster, { slot });
  await settledDataset(client, uploaded.id);
}

// A run, its zoning, and the hectares of each zone by region.
const { id } = await createLandscapeRun({ client, headers: { 'Idempotency-Key': requestKey() } });
const run = await settledRun(client, id);
const [zoning] = run.nodes.find(({ node_code }) => node_code === '34').outputs;
const areas = await getDatasetAreas({
  client,
  path: { id: zoning.dataset_id },
  query: { by: 'region', lang: 'en' },
});
for (const { value, title } of areas.classes)
  console.log(`zone ${value}: ${Math.round(areas.total.classes[value] ?? 0)} ha, ${title}`);
const cog = await getDatasetCog({ client, path: { id: zoning.dataset_id }, parseAs: 'blob' });
console.log(`zoning: ${zoning.dataset_id}, a COG of ${cog.size} bytes`);
