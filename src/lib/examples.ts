/** Examples in the interface description: one table by KATO from upload to observations. */

const datasetId = '7b0f9c52-3c1e-4f0a-9d55-1f6f4d1b2a10';

export const examplePut = {
  category_id: '2f6c1f0e-8a4b-4b7e-9a53-6d0c8f1e7b21',
  dg_id: 'c3a1d7e4-5b92-4f68-8d0e-2b7a9c4f6e33',
  start_date: '2022-01-01',
  end_date: '2023-12-31',
  name: 'Population by region',
  description: 'At the beginning of the year',
  unit: 'people',
};

const yearColumns = [
  { column: '2022', start_date: '2022-01-01' },
  { column: '2023', start_date: '2023-01-01', end_date: '2023-12-31' },
];

export const exampleSummary = {
  id: datasetId,
  ...examplePut,
  file_type: 'vector_with_kato',
  size_bytes: 9482,
  status: 'ready',
  created_at: '2026-02-03T09:15:27.104Z',
  updated_at: '2026-02-03T09:16:02.871Z',
};

export const exampleReference = {
  address: 'https://archive.example/srtm/n51e066.tif',
  state: 'unchanged',
  reason: null,
  checked_at: '2026-02-03T10:00:00.000Z',
  copying: false,
};

export const exampleColumn = { name: 'kato', samples: ['100000000', '110000000', '150000000'] };

export const exampleDataset = {
  ...exampleSummary,
  filename: 'population-by-region.geojson',
  storage_key: `originals/${datasetId}/source.geojson`,
  cog_storage_key: null,
  sld_storage_key: null,
  sld_filename: null,
  sld_content_type: null,
  content_type: 'application/geo+json',
  meta: { source: 'Bureau of National Statistics' },
  automated: false,
  attribute_columns: [
    exampleColumn,
    { name: 'region', samples: ['Абай', 'Акмолинская', 'Актюбинская'] },
    { name: '2022', samples: ['611888'] },
    { name: '2023', samples: ['610205'] },
  ],
  kato_column: 'kato',
  year_columns: yearColumns,
  parse_error: null,
};

export const exampleMapping = { kato_column: 'kato', year_columns: yearColumns };

export const exampleObservation = {
  id: 'e81b4a6d-0f27-5c93-a4d8-7e5c2f9b1d44',
  dataset_id: datasetId,
  kato_code: '100000000',
  start_date: '2023-01-01',
  end_date: '2023-12-31',
  value: 610_205,
  value_text: null,
};

export const exampleFeature = {
  type: 'Feature',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [78.2, 50.1],
        [79.4, 50.1],
        [79.4, 50.9],
        [78.2, 50.1],
      ],
    ],
  },
  properties: {
    kato: '100000000',
    name: 'Абайская',
    data: { '2022-01-01': 611_888, '2023-01-01': 610_205 },
    periods: { '2023-01-01': '2023-12-31' },
  },
};

export const exampleReport = {
  dataset_id: datasetId,
  engine: 'GDAL 3.6.2',
  source: {
    driver: 'GeoJSON',
    layer: 'GeoJSON',
    layers: [{ name: 'GeoJSON', features: 20, geometry_types: [] }],
    crs: null,
    extent: null,
    encoding: 'UTF-8',
    encoding_from: 'format',
  },
  rows: { read: 20, skipped: 1 },
  raster: null,
  timings: { fetch: 0.01, read: 0.03, detect: 0.02 },
  warnings: [
    {
      code: 'rows_without_code',
      message: '1 of 20 rows have no code in column "kato" and were skipped.',
      sentence: { code: 'table_warning.rowsWithoutCode', facts: ['kato', { read: 20, skipped: 1 }] },
    },
  ],
};

export const exampleStatistics = {
  dataset_id: datasetId,
  pixels: 1200,
  area_ha: 93812.2139,
  bands: [
    {
      index: 1,
      valid: 1150,
      nodata: 50,
      min: 11,
      max: 40,
      mean: 26.1304,
      p2: 11,
      p98: 40,
      histogram: { min: 11, max: 41, counts: [550, ...Array.from({ length: 28 }, () => 0), 600] },
      classes: [
        { value: 11, pixels: 550, hectares: 42997.2647 },
        { value: 40, pixels: 600, hectares: 46906.107 },
      ],
      no_data_ha: 3908.8422,
    },
  ],
};
