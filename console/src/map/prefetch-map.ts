import { sharedRasters } from '../raster/client.ts';
import { prefetch } from '../service/fetch.ts';
import { pathTo } from '../service/request.ts';
import type { Dataset } from '../service/types.ts';
import { readMapAddress } from './place/address.ts';
import { cogUrlOf, rangeAuthorization } from './layers/layer-requests.ts';

const outlinesOf = (level: 'region' | 'district'): string =>
  pathTo('/districts.geojson', { query: { level, detail: 'coarse' } });

/** Paths that are read for each type, beside the dataset itself. */
const pathsOf = {
  raster: (id) => [pathTo('/datasets/{id}/report', { path: { id } })],
  vector_with_kato: (id) => [pathTo('/datasets/{id}/series', { path: { id } }), outlinesOf('district')],
  vector: (id) => [pathTo('/datasets/{id}.geojson', { path: { id } })],
} as const satisfies Record<Dataset['file_type'], (id: string) => readonly string[]>;

/** Requests what a map at this address needs while the script of the map loads. */
export async function prefetchMap(query: string): Promise<void> {
  await Promise.all([
    ...readMapAddress(query).layers.map(async ({ id }) => await prefetchLayer(id)),
    prefetch(outlinesOf('region')),
  ]);
}

async function prefetchLayer(id: string): Promise<void> {
  const response = await prefetch(pathTo('/datasets/{id}', { path: { id } }));
  if (!response.ok) return;
  const { file_type: type, status }: Pick<Dataset, 'file_type' | 'status'> = await response.json();
  if (status !== 'ready') return;
  if (type === 'raster') preloadRaster(id);
  await Promise.all(pathsOf[type](id).map(async (path) => await prefetch(path)));
}

/** Starts reading the header of a raster while the page is drawn. */
function preloadRaster(id: string): void {
  const rasters = sharedRasters();
  void rasters.authorize(rangeAuthorization()).catch(() => undefined);
  rasters.preload({ url: cogUrlOf(id) });
}
