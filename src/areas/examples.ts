/** Examples of areas for the interface description. */

const method = { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false };
const digest = '9f2b7c1e5a8d4f60b3c2e1d0a9f8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0';
const zoning = 'd4f8a2c6-1b7e-4d90-a5c3-9e6f0b8d7c12';
const classes = [
  { value: 11, title: 'V1 irrigation', color: '#1f78b4' },
  { value: 40, title: 'Not allocable', color: '#bdbdbd' },
];
const row = {
  area_ha: 719_843.21,
  classes: { 11: 20_123.94, 40: 699_706.56 },
  no_data_ha: 0,
  outside_raster_ha: 12.71,
};
const pixels = { area_ha: 719_830.9, classes: { 11: 20_123.94, 40: 699_706.96 }, no_data_ha: 0 };
const nothing = { area_ha: 0, classes: {}, no_data_ha: 0 };

export const exampleUnit = {
  kato: '111000000',
  name: 'Кокшетау',
  name_kk: 'Көкшетау',
  name_en: 'Kokshetau',
  level: 'district',
} as const;

export const exampleDatasetAreas = {
  dataset_id: zoning,
  by: 'district',
  digest,
  unit: 'ha',
  method,
  classes,
  districts_version: 3,
  rows: [
    {
      ...exampleUnit,
      ...row,
    },
  ],
  total: row,
  raster: pixels,
  outside_units: { area_ha: 0.4, classes: { 40: 0.4 }, no_data_ha: 0 },
  overlap: nothing,
};

export const exampleOwnAreas = {
  run_id: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  dataset_id: zoning,
  digest,
  unit: 'ha',
  method,
  classes,
  rows: [{ index: 0, id: 'field 7', ...row }],
  union: row,
};

export const exampleFeatures = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: 'field 7',
      properties: {},
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [71.22, 51.1],
            [71.41, 51.1],
            [71.41, 51.25],
            [71.22, 51.1],
          ],
        ],
      },
    },
  ],
};
