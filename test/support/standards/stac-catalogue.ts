import assert from 'node:assert/strict';
import { extentColumns } from '../../../src/datasets/extent/extents.ts';
import type { Extent } from '../../../src/datasets/extent/geojson-extent.ts';
import { reportOf, writeReport } from '../../../src/datasets/report.ts';
import type { Findings } from '../../../src/geo/findings.ts';
import type { TestApp } from '../app.ts';
import { insertCategory, insertGroup, setState, upload } from '../datasets.ts';

export interface StacPage {
  readonly features: readonly {
    readonly id: string;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
  readonly numberMatched?: number;
  readonly links: readonly {
    readonly rel: string;
    readonly href: string;
    readonly method?: string;
    readonly body?: unknown;
  }[];
}
export type StacLink = StacPage['links'][number];

/** Fills the catalogue of an app with named datasets of each kind, and returns functions that query it. */
export async function fillStacCatalogue(app: TestApp) {
  const { db } = app.services;
  const category = await insertCategory(db, 'soils');
  const group = await insertGroup(db, 'zoning');
  const ids = new Map<string, string>();

  /** Adds a ready dataset under a name. */
  async function add(
    name: string,
    extent: Extent | undefined,
    columns: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const { file_type: fileType = 'vector', ...others } = columns;
    const { id } = await upload(app, { category_id: category, file_type: String(fileType), name });
    await setState(
      app.services,
      id,
      { status: 'ready', ...extentColumns(extent), ...others },
      { geojson: '{}' },
    );
    ids.set(name, id);
    return id;
  }

  const raster = await add('zones', [66, 50, 68, 52], {
    file_type: 'raster',
    dg_id: group,
    start_date: '2024-01-01',
    end_date: '2024-12-31',
    unit: 'class',
    view_state: 'made',
  });
  await db.transaction().execute(async (trx) => {
    const findings: Findings = {
      source: null,
      raster: {
        width: 4,
        height: 2,
        bands: 1,
        data_type: 'Byte',
        nodata: 0,
        scale: null,
        offset: null,
        crs: 'EPSG:32642',
        proj: null,
        extent: [400_000, 5_600_000, 400_040, 5_600_020],
        resolution: [10, 10],
        cog: null,
      },
      timings: {},
      warnings: [],
    } satisfies Findings;
    await writeReport(trx, reportOf(raster, { engine: 'GDAL 3.6.2', findings, rows: null }));
    const band = {
      index: 1,
      valid: 6,
      nodata: 2,
      min: 1,
      max: 9,
      mean: 4.5,
      p2: 1,
      p98: 9,
      histogram: null,
      classes: null,
      no_data_ha: 0,
    };
    const counts = JSON.stringify({ pixels: 8, area_ha: 1, bands: [band] });
    await trx
      .insertInto('raster_statistics')
      .values({ dataset_id: raster, state: 'counted', counts })
      .execute();
  });
  await add('across', [170, 50, -170, 60], { start_date: '2020-05-01' });
  await add('west', [60, 50, 64, 54], { dg_id: group });
  await add('nowhere', undefined, { file_type: 'raster', end_date: '2021-03-04' });
  await add('table', [46, 40, 87, 55], {
    file_type: 'vector_with_kato',
    start_date: '2019-01-01',
    end_date: '2023-12-31',
  });
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  await upload(app, { category_id: category, file_type: 'vector', name: 'not ready' });

  const get = async <T = StacPage>(path: string): Promise<T> => {
    const response = await fetch(path.startsWith('http') ? path : app.baseUrl + path);
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    return JSON.parse(text);
  };
  const post = async (body: unknown): Promise<StacPage> => {
    const response = await fetch(`${app.baseUrl}/stac/search`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text);
  };
  return { ids, names, raster, get, post };
}
