import { exampleSummary } from '../../lib/examples.ts';
import { defaultParams } from '../model/params.ts';

/** Examples for the API description: a run over the elevation, and the slope that it made. */

const ids = {
  elevation: '91c7e0b4-62d5-4a3f-8e19-0b5d7c2f8a61',
  slope: 'd4f8a2c6-1b7e-4d90-a5c3-9e6f0b8d7c12',
  category: '0a6e4c2b-7f83-4d15-b9e0-5c8a1f3d6b72',
  elevationGroup: '6e9b3f1d-4c08-4a72-91d6-8f2e5b7c0a83',
  slopeGroup: 'a7d2c5f9-8e31-4b64-8c0f-3d9b6e1a5f94',
  run: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  node: '58e2f7a9-d3c6-4b01-9f84-7a0d2e5c8b16',
} as const;

const raster = { ...exampleSummary, category_id: ids.category, file_type: 'raster', start_date: null };

const elevation = {
  ...raster,
  id: ids.elevation,
  dg_id: ids.elevationGroup,
  end_date: '2021-12-31',
  name: 'Copernicus DEM GLO-30, Zhabay basin',
  description: null,
  unit: null,
  size_bytes: 18_350_112,
};

const slope = {
  ...elevation,
  id: ids.slope,
  dg_id: ids.slopeGroup,
  name: 'Slope, percent',
  unit: 'percent',
  size_bytes: 22_004_310,
};

export const exampleSlot = {
  code: 'landscape-in-dem',
  title: 'Elevation',
  group_id: ids.elevationGroup,
  latest: elevation,
  origin: 'measured',
} as const;

export const exampleResult = {
  group: 'landscape-01-slope',
  title: 'Slope, percent',
  node: '01',
  group_id: ids.slopeGroup,
  latest: slope,
  cog_url: `/datasets/${ids.slope}.cog`,
  sld_url: `/dataset-groups/${ids.slopeGroup}/sld`,
};

export const exampleRunInput = {
  from_stage: null,
  overrides: { 'landscape-in-dem': ids.elevation },
  params: { tie_priority: [3, 4, 1, 2, 5] },
};

export const exampleRef = { group: 'landscape-in-dem', dataset_id: ids.elevation };

export const exampleNode = {
  id: ids.node,
  run_id: ids.run,
  node_code: '01',
  stage: 0,
  status: 'succeeded',
  fingerprint: '3b1f0c9e5d7a2846f1e3b5d7092c4a6e8f0b1d3c5e7a9024681ace13579bdf02',
  inputs: [exampleRef],
  outputs: [{ group: 'landscape-01-slope', dataset_id: ids.slope }],
  error: null,
  started_at: '2026-02-03T10:00:04.220Z',
  finished_at: '2026-02-03T10:00:19.847Z',
};

export const exampleRun = {
  id: ids.run,
  status: 'running',
  params: { ...defaultParams, ...exampleRunInput.params },
  overrides: exampleRunInput.overrides,
  from_stage: null,
  error: null,
  created_at: '2026-02-03T10:00:02.113Z',
  started_at: '2026-02-03T10:00:02.958Z',
  finished_at: null,
  nodes: [exampleNode],
};

export const exampleGraph = {
  version: 1,
  slots: [
    {
      group: 'landscape-in-dem',
      title: 'Elevation',
      kind: 'numbers',
      unit: 'm',
      range: [-500, 9000],
      classes: null,
      zero_where_missing: false,
      quantity: 'Height above sea level. Its grid is the grid of every result',
      source: 'Copernicus DEM GLO-30 or GLO-90',
      how: 'Download its tiles as GeoTIFF, upload them, and make one raster of them.',
    },
  ],
  nodes: [
    {
      code: '01',
      stage: 0,
      group: 'landscape-01-slope',
      title: 'Slope, percent',
      unit: 'percent',
      inputs: ['landscape-in-dem'],
      params: [],
      legend: { kind: 'ramp', entries: [{ value: 0, color: '#ffffd4', label: '0 %' }] },
      reading: 'Steep land is dark. It is the slope of the grid, not that of a field.',
    },
  ],
  params: [
    {
      name: 'v1_min_s_e3',
      title: 'V1 where E = 3: minimum S',
      description: 'V1 minimum suitability where E == 3',
      minimum: 1,
      maximum: 5,
      default: defaultParams.v1_min_s_e3,
    },
  ],
  sectors: [{ number: 1, title: 'Irrigation' }],
  catalogue: {
    category: { code: 'landscape', name: 'Landscape Program', description: 'Inputs and results.' },
    groups: [{ code: 'landscape-in-dem', name: 'Landscape input: Elevation', description: 'A GeoTIFF.' }],
  },
};

export const examplePlan = {
  planned_at: null,
  params: exampleRun.params,
  overrides: exampleRun.overrides,
  from_stage: null,
  error: null,
  missing: [],
  inputs: [
    {
      group: 'landscape-in-dem',
      dataset: elevation,
      because: 'pinned',
      waiting: null,
      findings: [
        {
          code: 'several_bands',
          severity: 'warns',
          message: 'The raster has 2 bands. A run reads band 1 and none of the others.',
          sentence: { code: 'input_finding.severalBands', facts: [2] },
        },
      ],
    },
  ],
  nodes: [
    {
      node_code: '01',
      action: 'reuse',
      reason: 'same',
      inputs: [],
      params: [],
      compared_with: ids.run,
      output: ids.slope,
    },
  ],
};

export const exampleGaps = {
  is_estimate: false,
  unit: 'ha',
  grid_ha: 53_412.8,
  without_zone_ha: 641.25,
  inputs: [{ ...exampleRef, missing_ha: 702.5, alone_ha: 598.75 }],
};

export const exampleGapPlace = {
  lon: 68.43,
  lat: 51.87,
  is_on_grid: true,
  zone: null,
  missing: ['landscape-in-soil-salinity'],
};

/** The body of an estimate. */
export const exampleGapsInput = { overrides: exampleRunInput.overrides };
