import GeoJSON from 'ol/format/GeoJSON.js';
import type Feature from 'ol/Feature.js';
import type { ViewCode } from '../raster/projection.ts';
import type { MapService } from './map-service.ts';

export type Level = 'region' | 'district';
export type Detail = 'coarse' | 'fine';

/** Facts of a unit beside its borders. */
export interface Unit {
  readonly kato: string;
  readonly name: string;
  readonly name_kk?: string | null;
  readonly name_en?: string | null;
}

/** The borders of districts: each file is read once, and each feature is shared by all layers of a view. */
export interface Districts {
  readonly units: (level: Level) => Promise<readonly Unit[]>;
  readonly features: (level: Level, detail: Detail, view: ViewCode) => Promise<readonly Feature[]>;
}

interface UnitCollection {
  readonly features: readonly { readonly properties: Unit }[];
}

export function createDistricts(service: MapService): Districts {
  const texts = new Map<string, Promise<UnitCollection>>();
  const read = async (path: string): Promise<UnitCollection> => {
    try {
      return await (await service.get(path)).json();
    } catch (error) {
      texts.delete(path);
      throw error;
    }
  };
  const collection = async (level: Level, detail: Detail) => {
    const path = `districts.geojson?level=${level}&detail=${detail}`;
    const text = texts.get(path) ?? read(path);
    texts.set(path, text);
    return await text;
  };
  const known = new Map<string, Promise<readonly Feature[]>>();
  const projected = async (level: Level, detail: Detail, view: ViewCode) =>
    new GeoJSON({ featureProjection: view }).readFeatures(await collection(level, detail));
  return {
    units: async (level) => (await collection(level, 'coarse')).features.map(({ properties }) => properties),
    async features(level, detail, view) {
      const key = `${level} ${detail} ${view}`;
      const made = known.get(key) ?? projected(level, detail, view);
      known.set(key, made);
      return await made.catch((error: unknown) => {
        known.delete(key);
        throw error;
      });
    },
  };
}
