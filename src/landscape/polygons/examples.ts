import { zoningCode } from '../../../common/landscape/zoning.ts';

const classes = [
  {
    value: 13,
    title: 'V1 crop',
    color: '#e6ab02',
    zones_before: 41,
    zones: 12,
    pixels_ha: 18_250.5,
    polygons_ha: 18_262.25,
    difference_ha: 11.75,
  },
  {
    value: 32,
    title: 'V3 reserve, improvement',
    color: '#bdbdbd',
    zones_before: 18,
    zones: 9,
    pixels_ha: 4_021.25,
    polygons_ha: 4_009.5,
    difference_ha: -11.75,
  },
];

/** Zones of at least 5 ha, cut by district. */
export const examplePolygons = {
  id: '5f7d3e0a-1c44-4b8e-9a35-3f1d6b7c2e91',
  run_id: 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05',
  node: zoningCode,
  raster_id: '0b6f5a3e-7c1d-4e2f-8b90-4d5a6c7e8f12',
  min_area_ha: 5,
  by: 'district',
  districts_version: 3,
  state: 'made',
  error: null,
  fitting_min_area_ha: null,
  dataset_id: 'a4c9e7d2-6b13-4f58-b0d7-8e2f1a3c5b64',
  dataset_status: 'ready',
  zones: 21,
  zones_below_minimum: 1,
  positions: 48_210,
  pixels_ha: 22_271.75,
  polygons_ha: 22_271.75,
  classes,
  created_at: '2026-03-05T10:20:30.456Z',
} as const;
