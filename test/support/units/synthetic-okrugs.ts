import { readFileSync } from 'node:fs';
import { classifier } from '../../../src/units/classifier/classifier.ts';
import { readPolygons } from '../../../src/geo/area/stored-borders.ts';

type Ring = readonly (readonly number[])[];

export interface SyntheticOkrug {
  readonly kato: string;
  readonly name: string;
  readonly name_kk: string;
  readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };
}

/**
 * Makes borders of rural districts, which are published nowhere: each district of the seeds is cut into as many strips from west to east as
 * the classifier has rural districts in it. They cover it without gaps.
 */
export function syntheticOkrugs(districts?: ReadonlySet<string>): readonly SyntheticOkrug[] {
  const { childrenOf, units } = classifier();
  const file = new URL('../../../seeds/districts/districts.geojsonl', import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const { properties, geometry }: { properties: { kato: string }; geometry: unknown } = JSON.parse(line);
      const { kato } = properties;
      if (units.get(kato)?.level !== 'district' || districts?.has(kato) === false) return [];
      const okrugs = childrenOf(kato).filter(({ level }) => level === 'okrug');
      const polygons = readPolygons(JSON.stringify(geometry));
      const xs = polygons.flat(2).map(([x = 0]) => x);
      const [west, east] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
      return okrugs.map(({ kato: code, name, name_kk }, at) => {
        const [from, to] = [at, at + 1].map((part) => west + ((east - west) * part) / okrugs.length);
        const coordinates = polygons
          .map((rings) =>
            rings.map((ring) => strip(ring, from ?? 0, to ?? 0)).filter((ring) => ring.length > 3),
          )
          .filter((rings) => rings.length > 0);
        return { kato: code, name, name_kk, geometry: { type: 'MultiPolygon' as const, coordinates } };
      });
    })
    .filter(({ geometry }) => geometry.coordinates.length > 0);
}

/** Cuts a closed ring to the longitudes of a strip. */
function strip(ring: Ring, west: number, east: number): Ring {
  const first = half(ring, (x) => x >= west, west);
  return half(first, (x) => x <= east, east);
}

function half(ring: Ring, isKept: (x: number) => boolean, border: number): Ring {
  const kept: (readonly number[])[] = [];
  for (let at = 1; at < ring.length; at += 1) {
    const [x1 = 0, y1 = 0] = ring[at - 1] ?? [];
    const [x2 = 0, y2 = 0] = ring[at] ?? [];
    if (isKept(x1)) kept.push([x1, y1]);
    if (isKept(x1) !== isKept(x2)) kept.push([border, y1 + ((y2 - y1) * (border - x1)) / (x2 - x1)]);
  }
  const [start] = kept;
  return start === undefined ? [] : [...kept, start];
}

/** Writes units as a GeoJSON for `districts import --kato kato --name name --name-kk name_kk`. */
export function geoJsonOf(okrugs: readonly SyntheticOkrug[]): string {
  const features = okrugs.map(({ geometry, ...properties }) => ({ type: 'Feature', properties, geometry }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}
