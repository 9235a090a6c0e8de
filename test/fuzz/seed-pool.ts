import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { z } from 'zod';
import type { Pool } from './pool.ts';

const Created = z.object({ id: z.string() });

const uploads = [
  ['raster', 'raster/one_pixel_epsg4326.tif'],
  ['raster', 'raster/gdal_int16.tif'],
  ['vector', 'vector/trio.geojson'],
  ['vector_with_kato', 'kato/income_by_region_date_columns.geojson'],
] as const;

/** A few resources of each kind, so that the first requests already have something to be about. */
export async function seedPool(baseUrl: string, pool: Pool): Promise<void> {
  const post = async (path: string, body: string | FormData): Promise<string> => {
    const response = await fetch(baseUrl + path, { method: 'POST', body });
    const text = await response.text();
    assert.ok(response.status === 201 || response.status === 202, text);
    return Created.parse(JSON.parse(text)).id;
  };
  for (const code of ['first', 'second', 'third']) {
    pool.add('category', await post('/categories', JSON.stringify({ code, name: code })));
    pool.add('group', await post('/dataset-groups', JSON.stringify({ code, name: code })));
  }
  for (const [fileType, path] of uploads) {
    const form = new FormData();
    form.append('file_type', fileType);
    form.append('category_id', pool.resolve('@@category.live.0@@'));
    form.append('dg_id', pool.resolve('@@group.live.0@@'));
    form.append(
      'file',
      await openAsBlob(new URL(`../fixtures/${path}`, import.meta.url)),
      path.replace(/.*\//, ''),
    );
    pool.addDataset(await post('/datasets', form), fileType);
  }
  pool.add('run', await post('/landscape/runs', '{}'));
}
