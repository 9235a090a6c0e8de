import GeoJSON from 'ol/format/GeoJSON.js';
import type Feature from 'ol/Feature.js';
import type { ViewCode } from '../raster/projection.ts';
import type { MapService } from './map-service.ts';

export type Level = 'region' | 'district';
export type Detail = 'coarse' | 'fine';

/** The borders of districts, read once for each level, detail and view. */
export interface Districts {
  readonly features: (level: Level, detail: Detail, view: ViewCode) => Promise<readonly Feature[]>;
}

export function createDistricts(service: MapService): Districts {
  const texts = new Map<string, Promise<unknown>>();
  const read = async (path: string): Promise<unknown> => {
    try {
      return await (await service.get(path)).json();
    } catch (error) {
      texts.delete(path);
      throw error;
    }
  };
  return {
    async features(level, detail, view) {
      const path = `districts.geojson?level=${level}&detail=${detail}`;
      const text = texts.get(path) ?? read(path);
      texts.set(path, text);
      return new GeoJSON({ featureProjection: view }).readFeatures(await text);
    },
  };
}
