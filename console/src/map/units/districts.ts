import type { UnitLevel } from '../../../../common/maps/units/levels.ts';
import { getTransform } from 'ol/proj.js';
import type { ViewCode } from '../../raster/projection.ts';
import { fetchJson } from '../../service/fetch.ts';
import { type Area, type Outline, outlineOf } from './outlines.ts';

export type Level = UnitLevel;
export type Detail = 'coarse' | 'fine';

/** Facts about a unit, without its borders. */
export interface Unit {
  readonly kato: string;
  readonly name: string;
  readonly name_kk?: string | null;
  readonly name_en?: string | null;
}

/** The borders of districts: each file is read once, and each outline is shared by all layers of a view. */
export interface Districts {
  readonly units: (level: Level) => Promise<readonly Unit[]>;
  readonly outlines: (level: Level, detail: Detail, view: ViewCode) => Promise<readonly Outline[]>;
}

interface UnitCollection {
  readonly features: readonly { readonly properties: Unit; readonly geometry: Area }[];
}

export function createDistricts(): Districts {
  const texts = new Map<string, Promise<UnitCollection>>();
  const read = async (path: string): Promise<UnitCollection> => {
    try {
      return await fetchJson(path);
    } catch (error) {
      texts.delete(path);
      throw error;
    }
  };
  const collection = async (level: Level, detail: Detail) => {
    const path = `/districts.geojson?level=${level}&detail=${detail}`;
    const text = texts.get(path) ?? read(path);
    texts.set(path, text);
    return await text;
  };
  const known = new Map<string, Promise<readonly Outline[]>>();
  const projected = async (level: Level, detail: Detail, view: ViewCode) => {
    const transform = getTransform('EPSG:4326', view);
    if (transform === null) throw new Error(`OpenLayers lacks ${view}`);
    const { features } = await collection(level, detail);
    return features.map(({ properties: { kato }, geometry }) =>
      outlineOf(kato, geometry, (flat) => transform(flat, flat, 2)),
    );
  };
  return {
    units: async (level) => (await collection(level, 'coarse')).features.map(({ properties }) => properties),
    async outlines(level, detail, view) {
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
