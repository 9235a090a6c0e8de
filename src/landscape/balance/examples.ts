const params = {
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
  tie_priority: [1, 2, 3, 4, 5],
};

const head = {
  run_id: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  unit: 'ha',
  method: { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false },
  by: 'region',
  districts_version: 3,
} as const;

const unit = {
  kato: '110000000',
  name: 'Акмолинская область',
  name_kk: 'Ақмола облысы',
  name_en: 'Akmola Region',
  level: 'region',
} as const;

/** 20,000 ha of S 5 and E 2 for irrigation and snow, 800 ha of S 3 and E 3 for pasture, in a region of 30,000 ha. */
const row = {
  ...unit,
  area_ha: 30_000,
  not_allocable_ha: 1_000.5,
  no_data_ha: 199.5,
  outside_raster_ha: 8_000,
  ha: [800, 20_000],
  zones: [20_000, 800, 0],
  functional: [20_000, 0, 0, 0, 0, 0, 0, 0, 800, 0, 0, 0],
};

const { ha, zones, functional, not_allocable_ha, no_data_ha } = row;
const raster = { area_ha: 22_000, not_allocable_ha, no_data_ha, ha, zones, functional };

const chosenByOrder = {
  share: 20_000 / 20_800,
  sentence:
    'On 96 % of the allocable land, several sectors are equally suitable (S of 3 or more): there the order of sectors decides, not the land.',
};

export const exampleBalance = {
  ...head,
  run_params: params,
  params,
  cells: [
    [3, 3, 8],
    [5, 2, 3],
  ],
  codes: [11, 12, 13, 14, 15, 21, 22, 23, 24, 25, 31, 32],
  units: [row],
  outside_units: {
    area_ha: 0,
    not_allocable_ha: 0,
    no_data_ha: 0,
    ha: [0, 0],
    zones: [0, 0, 0],
    functional: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  },
  raster,
  chosen_by_order: chosenByOrder,
};

const change = {
  changed_ha: 800,
  zones: [
    { zone: 1, gained_ha: 800, lost_ha: 0 },
    { zone: 2, gained_ha: 0, lost_ha: 800 },
    { zone: 3, gained_ha: 0, lost_ha: 0 },
  ],
};

export const exampleSensitivity = {
  ...head,
  params,
  zoned_ha: 20_800,
  cases: [
    {
      kind: 'threshold',
      param: 'v1_min_s_e3',
      from: 4,
      to: 3,
      sectors: null,
      params: { ...params, v1_min_s_e3: 3 },
      invalid: null,
      inert: false,
      changed_share: 800 / 20_800,
      raster: change,
    },
  ],
  units: [{ ...unit, zoned_ha: 20_800, changes: [change] }],
} as const;

export const exampleConflicts = {
  ...head,
  tie_priority: params.tie_priority,
  least_s: 3,
  allocable_ha: 20_800,
  contested_ha: 20_000,
  contested_share: 20_000 / 20_800,
  contested_share_of_zones: 20_000 / 20_800,
  chosen_by_order: chosenByOrder,
  rows: [{ sectors: [1, 2], s: 5, ha: 20_000, decided_by: 'order', winner: 1 }],
  sets: [{ sectors: [1, 2], title: 'Irrigation + snow retention', color: '#0072b2', ha: 20_000 }],
  units: [
    { ...unit, allocable_ha: 20_800, contested_ha: 20_000, contested_share: 20_000 / 20_800, ha: [20_000] },
  ],
};

const figures = {
  zoned_ha: 20_800,
  thresholds: { ha: 20_000, share: 20_000 / 20_800 },
  order: { ha: 800, share: 800 / 20_800 },
  both: { ha: 0, share: 0 },
};

export const exampleStability = {
  ...head,
  params,
  cases: { thresholds: 7, order: 4 },
  ...figures,
  codes: [
    {
      code: 11,
      zoned_ha: 20_000,
      thresholds: { ha: 20_000, share: 1 },
      order: { ha: 0, share: 0 },
      both: { ha: 0, share: 0 },
    },
  ],
  units: [{ ...unit, ...figures }],
  legend: [
    { value: 1, title: 'Keeps its code in all cases', color: '#1b7837', ha: 0 },
    { value: 2, title: 'Depends on a threshold', color: '#dfc27d', ha: 800 },
    { value: 3, title: 'Depends on the order of sectors', color: '#9970ab', ha: 20_000 },
    { value: 4, title: 'Depends on both', color: '#762a83', ha: 0 },
  ],
};
