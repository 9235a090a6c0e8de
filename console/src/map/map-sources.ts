import { sharedRasters } from '../raster/client.ts';
import { createDistricts } from './districts.ts';
import { createMapService } from './map-service.ts';
import type { MapSources } from './map-state.ts';

let sources: MapSources | undefined;

/** Sources of every map of this page: one worker, one cache of borders. */
export function mapSources(): MapSources {
  if (sources === undefined) {
    const service = createMapService();
    sources = { service, rasters: sharedRasters(), districts: createDistricts(service) };
  }
  return sources;
}
