import { defaultParams } from '../model/params.ts';

/** Examples for the API description: a run over the elevation, and the slope that it made. */

const run = 'f3b6d8e1-9a4c-4e57-b2d0-6c1f8a5e7d05';
const elevation = '91c7e0b4-62d5-4a3f-8e19-0b5d7c2f8a61';
const cog = { sha256: '6f0c1a7d2b9e84f35a1c0d7be29f4c6813a5d0b7e92c4f861a3d5b7c9e0f1a24', bytes: 18_350_112 };
const slope = {
  sha256: 'b1e4d7a0c3f69258be1d4a70c3f6925be8d1a4c70f39625b8e1d4a7c0f396251',
  bytes: 22_004_310,
};

export const exampleManifest = {
  format: 'steppe-dossier',
  version: 1,
  run: {
    id: run,
    created_at: '2026-02-03T10:00:02.113Z',
    started_at: '2026-02-03T10:00:02.958Z',
    finished_at: '2026-02-03T10:01:11.402Z',
    graph_version: 1,
    params: defaultParams,
    overrides: {},
    from_stage: null,
  },
  inputs: [
    {
      group: 'landscape-in-dem',
      dataset_id: elevation,
      file: 'zhabay-dem.tif',
      start_date: null,
      end_date: '2021-12-31',
      licence: 'Copernicus DEM licence',
      original: cog,
      cog,
    },
  ],
  nodes: [
    {
      code: '01',
      group: 'landscape-01-slope',
      fingerprint: '3b1f0c9e5d7a2846f1e3b5d7092c4a6e8f0b1d3c5e7a9024681ace13579bdf02',
      action: 'compute',
      reason: 'first',
      inputs: [{ group: 'landscape-in-dem', dataset_id: elevation, sha256: cog.sha256 }],
      output: { dataset_id: 'd4f8a2c6-1b7e-4d90-a5c3-9e6f0b8d7c12', cog: slope },
      made_by: { run_id: run, steppe: '1.0.0', gdal: 'GDAL 3.6.2', proj: '9.1.1' },
    },
  ],
} as const;

export const exampleInventory = {
  format: 'steppe-dossier-inventory',
  version: 1,
  run_id: run,
  language: 'ru',
  left_out: [{ member: 'areas/', because: 'the raster lies nowhere on the earth' }],
  members: [
    {
      name: 'manifest.json',
      bytes: 30_214,
      sha256: '40d7c92b6e1f8a53c0d7b4e92a6f1c8350db7e4c92a1f6835c0db7e4a92f1c68',
    },
  ],
} as const;

export const exampleSigner = {
  subject: 'CN=АХМЕТОВА АЙГУЛЬ, C=KZ',
  issuer: 'CN=ҰЛТТЫҚ КУӘЛАНДЫРУШЫ ОРТАЛЫҚ (RSA) 2022, C=KZ',
  serial: '5C3A1B7E90D2',
  valid_from: '2025-06-01T08:00:00.000Z',
  valid_to: '2026-06-01T08:00:00.000Z',
  signed_at: '2026-02-04T05:12:00.000Z',
  validity: 'right',
  digest: 'right',
  signature: 'right',
} as const;

export const exampleSignature = {
  revision: 1,
  sha256: '0a9d3c71e5f84b26d0c7a1938e5f4b2607d9c3a1e8f5b4260d7c9a3e1f8b5426',
  bytes: 2147,
  over: 'inventory',
  language: 'ru',
  signed_sha256: '7d1c3b5a9f0e2d4c6b8a7f9e1d3c5b7a9f8e0d2c4b6a8f7e9d1c3b5a7f9e8d0c',
  manifest_sha256: '40d7c92b6e1f8a53c0d7b4e92a6f1c8350db7e4c92a1f6835c0db7e4a92f1c68',
  is_current: true,
  is_in_force: true,
  signers: [exampleSigner],
  added_by: 'planner',
  added_at: '2026-02-04T05:14:31.207Z',
} as const;

export const exampleDossier = {
  run_id: run,
  manifest_sha256: exampleSignature.manifest_sha256,
  cogs: { files: 19, bytes: 418_081_890, missing: [] },
  inputs: { files: 13, bytes: 238_551_456, missing: [] },
  signatures: [exampleSignature],
};
