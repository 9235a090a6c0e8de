import { ringArea } from '../../area/polygon-area.ts';
import type { PolygonsRequest } from '../../protocol.ts';
import { polygonProblems } from '../../../messages/zoning/english.ts';
import type { SharedGrid } from '../areas/grid.ts';
import { earthOf } from '../raster/image/georeference.ts';
import type { Regions } from './regions.ts';
import { ringFrom, type RingStarts } from './rings.ts';
import { createZonePackage } from './zone-package.ts';
import { toHectares } from '../../../../common/formats/hectares.ts';

interface Zones {
  readonly regions: Regions;
  readonly rings: RingStarts;
  readonly grid: SharedGrid;
  readonly request: Pick<PolygonsRequest, 'classes' | 'cut' | 'layer' | 'description' | 'changedAt'>;
  readonly crs: string;
  readonly valueOf: (region: number) => number;
  /** Returns undefined for a region without a unit. */
  readonly unitOf: (region: number) => string | undefined;
  readonly suitabilityOf: ((region: number) => number | null) | undefined;
  readonly sensitivityOf: ((region: number) => number | null) | undefined;
}

/** Corners per call of PROJ, which has a high fixed cost. */
const cornersAtOnce = 2 ** 16;
const mostNameCharacters = 1000;

/** Writes the polygons of regions. @returns their square metres by value @throws {Problem} for zones beyond the earth or across 180° */
export function writeZones(path: string, zones: Zones): ReadonlyMap<number, number> {
  const { regions, rings, grid, request, crs } = zones;
  const description = `${request.description} ${crs.slice(0, mostNameCharacters)}`;
  const file = createZonePackage(path, { ...request, description });
  const place = createPlacement(grid);
  const classes = new Map(request.classes.map((each) => [each.value, each]));
  const sums = new Map<number, number>();
  for (let region = 1; region <= regions.count;) {
    const batch: { readonly region: number; readonly rings: readonly Float64Array[] }[] = [];
    for (let corners = 0; corners < cornersAtOnce && region <= regions.count; region += 1) {
      const [from, to] = [rings.offsets[region] ?? 0, rings.offsets[region + 1] ?? 0];
      const own = Array.from(rings.pixels.subarray(from, to), (pixel) => ringFrom(regions, pixel));
      corners += own.reduce((sum, { length }) => sum + length / 2, 0);
      batch.push({ region, rings: own });
    }
    place(batch.flatMap((each) => each.rings));
    for (const each of batch) {
      const value = zones.valueOf(each.region);
      const placed = each.rings.map((ring, index) => turned(ring, index === 0));
      const area = placed.reduce((sum, ring) => sum + ringArea(ring), 0);
      const unit = zones.unitOf(each.region);
      const known = classes.get(value);
      file.add(placed, {
        zone: known?.zone ?? null,
        sector: known?.sector ?? null,
        S: zones.suitabilityOf?.(each.region) ?? null,
        E: zones.sensitivityOf?.(each.region) ?? null,
        code: value,
        title_en: known?.titles.en ?? null,
        title_ru: known?.titles.ru ?? null,
        title_kk: known?.titles.kk ?? null,
        kato: unit ?? null,
        name: unit === undefined ? null : (request.cut?.names[unit] ?? null),
        ha_polygon: toHectares(area),
        ha_pixels: toHectares(regions.areas[each.region] ?? 0),
      });
      sums.set(value, (sums.get(value) ?? 0) + area);
    }
  }
  file.finish();
  return sums;
}

/** Converts columns and rows of corners to longitudes and latitudes, in place. */
function createPlacement({ wkt, affine }: SharedGrid) {
  const toEarth = earthOf(wkt);
  const [x0, a, b, y0, c, d] = affine;
  return (rings: readonly Float64Array[]): void => {
    const count = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
    const [xs, ys] = [new Float64Array(count), new Float64Array(count)];
    let at = 0;
    for (const ring of rings)
      for (let i = 0; i < ring.length; i += 2, at += 1) {
        const [column = NaN, row = NaN] = [ring[i], ring[i + 1]];
        xs[at] = x0 + a * column + b * row;
        ys[at] = y0 + c * column + d * row;
      }
    toEarth(xs, ys);
    at = 0;
    for (const ring of rings)
      for (let i = 0; i < ring.length; i += 2, at += 1) {
        const [lon = NaN, lat = NaN, before = lon] = [xs[at], ys[at], ring[i - 2]];
        if (Number.isNaN(lon)) throw polygonProblems.beyondEarth();
        if (Math.abs(lon - before) > 180) throw polygonProblems.acrossAntimeridian();
        [ring[i], ring[i + 1]] = [lon, lat];
      }
  };
}

/** Closes a ring: counter-clockwise for an outer one, clockwise for a hole. */
function turned(ring: Float64Array, isOuter: boolean): Float64Array {
  const closed = new Float64Array(ring.length + 2);
  closed.set(ring);
  closed.set(ring.subarray(0, 2), ring.length);
  if (ringArea(closed) > 0 === isOuter) return closed;
  const other = new Float64Array(closed.length);
  for (let i = 0; i < closed.length; i += 2) other.set(closed.subarray(i, i + 2), closed.length - 2 - i);
  return other;
}
