import { randomInt } from 'node:crypto';
import { makeGroup } from './catalogue.ts';
import { type Dataset, makeTable, map, once, process } from './datasets.ts';
import { box, collection, geojsonFile, point, tiffFile } from './files.ts';

/** A ready raster in WGS 84: 40 × 30 bytes, from 71.2 to 71.6 and 51.1 down to 50.8. */
export const sharedRaster = once(
  async (client) =>
    await process(client, 'ready', tiffFile({ width: 40, height: 30, corner: [71.2, 51.1] }, 'relief.tif')),
);

/** A ready raster without georeferencing. */
export const nowhereRaster = once(
  async (client) => await process(client, 'ready', tiffFile({ width: 30, height: 20 }, 'nowhere.tif')),
);

/** A ready vector of one square with an attribute. */
export const sharedVector = once(
  async (client) =>
    await process(
      client,
      'ready',
      geojsonFile(collection([{ properties: { a: 1 }, geometry: box(70, 50, 71, 51) }]), 'square.geojson'),
    ),
);

/** A vector whose GeoJSON is long enough for an encoding and for ranges. */
export const sharedPoints = once(async (client) => {
  const features = Array.from({ length: 400 }, (_, index) => ({
    properties: { number: index, name: `участок ${index}` },
    geometry: point(60 + index / 100, 50),
  }));
  return await process(client, 'ready', geojsonFile(collection(features), 'points.geojson'));
});

export const tableRows = [
  { kato: '110000000', y2022: 788, y2023: '789,5', note: 'Акмолинская' },
  { kato: '710000000', y2022: 1354.5, y2023: null, note: 'Астана' },
  { kato: '750000000', y2022: 'н/д', y2023: 2.25, note: 'Алматы' },
];

/** A mapped table: y2022 as a point in time, y2023 as a period. */
export const sharedTable = once(async (client) => {
  const { id } = await makeTable(client, tableRows);
  return await map(client, id, 'kato', [
    { column: 'y2022', start_date: '2022-12-31' },
    { column: 'y2023', start_date: '2023-01-01', end_date: '2023-12-31' },
  ]);
});

/** A table that waits for its mapping, for requests that are refused. */
export const unmappedTable = once(async (client) => await makeTable(client, tableRows));

/** A raster whose processing failed. */
export const failedRaster = once(
  async (client) =>
    await process(client, 'failed', new File([`II*\0 no TIFF ${randomInt(1e9)}`], 'broken.tif')),
);

export const failedTable = once(
  async (client) =>
    await process(client, 'failed', geojsonFile('{"type":"FeatureCollection",', 'broken.geojson'), {
      file_type: 'vector_with_kato',
    }),
);

export const sharedGroup = once(makeGroup);

/** One dataset of each file type, for claims that change only their styles. */
export const readyOnes = once(async (client): Promise<readonly Dataset[]> => {
  return await Promise.all([sharedRaster(client), sharedVector(client), sharedTable(client)]);
});
