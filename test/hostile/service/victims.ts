import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { createClient } from '../../support/client.ts';
import { onePoint } from './attack-geojson.ts';
import type { Targets } from './attack.ts';
import { endOf } from './ends.ts';
import type { Place } from './place.ts';

/** Uploads two datasets of another user, which hostile files try to read, and waits until they are read. */
export async function uploadVictims(baseUrl: string, categoryId: string) {
  const client = createClient(baseUrl);
  const secret = `victim-${randomUUID()}`;
  const table = new File([onePoint({}, { kato: '750000000', 2025: secret })], 'table.geojson');
  const ids = {
    table: await client.upload(categoryId, 'vector_with_kato', table),
    raster: await client.upload(categoryId, 'raster', new File([await readAsRaster()], 'raster.tif')),
  };
  await endOf(baseUrl, ids.table);
  await endOf(baseUrl, ids.raster);
  return { secret, ...ids };
}

async function readAsRaster(): Promise<Buffer<ArrayBuffer>> {
  const path = `/vsimem/${randomUUID()}.tif`;
  gdal.drivers.get('GTiff').create(path, 2, 2, 1, 'Byte').close();
  return Buffer.from(gdal.vsimem.release(path));
}

/** Where the things lie that are attacked. */
export async function targetsOf(
  { dataDir, clone, canaries }: Place,
  baseUrl: string,
  { table, raster }: { readonly table: string; readonly raster: string },
): Promise<Targets> {
  const stored = async (id: string, key: 'storage_key' | 'cog_storage_key') => {
    const { body } = await createClient(baseUrl).json<Record<typeof key, string>>(`/datasets/${id}`);
    return join(dataDir, 'objects', body[key]);
  };
  return {
    canaryCsv: canaries[0].csvPath,
    storedTable: await stored(table, 'storage_key'),
    storedRaster: await stored(raster, 'cog_storage_key'),
    urls: canaries.map(({ url }) => url),
    program: join(clone, 'src/main.ts'),
  };
}
