/** Examples of statistics by unit for the interface description. */
import { exampleUnit } from '../areas/examples.ts';

const group = 'b7d1c9e4-5a2f-4c83-9e6b-0d4a8f2c7e15';
const raster = 'd4f8a2c6-1b7e-4d90-a5c3-9e6f0b8d7c12';
const category = '3f0a7d52-8c1e-4b6f-9a3d-5e7c2b1f8d40';

export const exampleZonal = {
  dataset_id: raster,
  by: 'district',
  digest: '9f2b7c1e5a8d4f60b3c2e1d0a9f8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0',
  method: {
    area: 'geodesic, WGS 84',
    border: 'coverage fraction',
    overviews: false,
    quantiles: 'weighted by area, as exactextract interpolates them',
  },
  values_are: 'density',
  value_unit: null,
  min_valid_share: 0.8,
  stats: ['mean', 'p50', 'valid_share'],
  districts_version: 3,
  rows: [
    {
      ...exampleUnit,
      area_ha: 719_843.21,
      valid_ha: 698_247.9,
      values: { mean: 0.412, p50: 0.405, valid_share: 0.97 },
      reason: null,
    },
    {
      kato: '113220000',
      name: 'Аккольский район',
      name_kk: 'Ақкөл ауданы',
      name_en: 'Akkol District',
      level: 'district',
      area_ha: 943_120.5,
      valid_ha: 584_734.71,
      values: { mean: null, p50: null, valid_share: 0.62 },
      reason: 'below_min_valid_share',
    },
  ],
};

export const exampleTableInput = {
  by: 'district',
  stats: ['mean', 'p90'],
  min_valid_share: 0.8,
  name: 'NDVI 2025, mean by district',
};

export const exampleGroupZonalInput = { by: 'district', stats: ['mean', 'p10', 'p90'], min_valid_share: 0.8 };

export const exampleGroupZonal = {
  group_id: group,
  settings: { ...exampleGroupZonalInput, values_are: 'density', name: null, category_id: category },
  dataset_id: '6a1e4c08-2d7b-4f95-8b3c-7f0d9e5a1c26',
  state: 'counting',
  message: 'rasters that are not in the table yet: 1',
  districts_version: 3,
  made_at: '2026-10-14T08:21:36.402Z',
  rasters: { in_table: 12, waiting: 1, failed: 0, without_dates: 0, replaced: 0 },
  left_out: [
    {
      dataset_id: raster,
      name: 'NDVI 2025',
      start_date: '2025-05-01',
      end_date: '2025-09-30',
      state: 'waiting',
      message: 'is being counted',
    },
  ],
};
