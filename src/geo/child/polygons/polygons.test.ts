import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { createPixelAreas } from '../../area/pixel-areas.ts';
import { earthOf } from '../raster/image/georeference.ts';
import { checkGeoPackage } from '../../formats/geopackage/check.ts';
import { polygonFaultOf } from '../../parent/plausible.ts';
import type { Affine } from '../../raster-reader.ts';
import { Problem } from '../../../lib/errors.ts';
import { tooManyZones } from '../../../messages/zoning/english.ts';
import { createRandom, type Random } from '../../../../test/hostile/mutate/random.ts';
import { box } from '../../../../test/support/areas/areas.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { writeRaster } from '../../../../test/support/geo/geotiffs.ts';
import {
  type ClassGrid,
  edgeNeighbours,
  floods,
  polygonsWith,
  readZones,
  type Zone,
} from '../../../../test/support/areas/polygons.ts';
import { openRasterEngineHere } from '../../../../test/support/geo/raster-conversion.ts';
import { isLongTier } from '../../../../test/support/tier.ts';

const engine = await closeAfterTests(openRasterEngineHere());

const albers =
  '+proj=aea +lat_1=43 +lat_2=53 +lat_0=48 +lon_0=67 +x_0=0 +y_0=0 +ellps=krass +towgs84=15,-130,-84 +units=m';
const grids = [
  { crs: 'EPSG:4326', affine: [66, 0.01, 0, 50, 0, -0.007] },
  { crs: 'EPSG:32642', affine: [400_000, 30, 0, 5_500_000, 0, -37] },
  { crs: albers, affine: [-300_000, 1000, 120, 700_000, 100, -900] },
] as const;
type Grid = { readonly crs: string; readonly affine: Affine };

let written = 0;
function write({ crs, affine }: Grid, { width, height, values }: ClassGrid): string {
  written += 1;
  const path = join(engine.folder, `classes-${written}.tif`);
  const value = (column: number, row: number) => values[row * width + column] ?? 0;
  writeRaster(path, { width, height, crs, affine, dataType: 'Byte', noData: 0, value });
  return path;
}

/** Patches of a few classes, with holes. */
function drawGrid(random: Random): ClassGrid {
  const [width, height] = [1 + random.below(24), 1 + random.below(20)];
  const [classes, holes] = [1 + random.below(4), random.below(3) * 0.1];
  const values: number[] = [];
  for (let i = 0; i < width * height; i += 1) {
    const before = [values[i - 1], values[i - width]][random.below(2)];
    const own = random.chance(holes) ? 0 : 11 + random.below(classes);
    values.push(before !== undefined && random.chance(0.5) ? before : own);
  }
  return { width, height, values };
}

/** Longitude and latitude of the middle of a pixel. */
function middles({ crs, affine: [x0, a, b, y0, c, d] }: Grid, width: number) {
  const srs = gdal.SpatialReference.fromUserInput(crs);
  const toEarth = new gdal.CoordinateTransformation(srs, gdal.SpatialReference.fromEPSG(4326));
  return (pixel: number) => {
    const [column, row] = [(pixel % width) + 0.5, Math.floor(pixel / width) + 0.5];
    const { x, y } = toEarth.transformPoint(x0 + a * column + b * row, y0 + c * column + d * row);
    return new gdal.Point(x, y);
  };
}

function number(zone: Zone, name: string): number {
  return Number(zone.attributes[name]);
}

function assertPolygons(zones: readonly Zone[], grid: Grid, classes: ClassGrid): void {
  const regions = floods(classes);
  assert.equal(zones.length, regions.length);
  const middleOf = middles(grid, classes.width);
  for (const [i, zone] of zones.entries()) {
    const pixels = regions[i] ?? [];
    assert.equal(zone.attributes['code'], classes.values[pixels[0] ?? 0]);
    assert.ok(zone.geometry instanceof gdal.Polygon && zone.geometry.isValid(), `zone ${i}`);
    for (const pixel of pixels)
      assert.ok(zone.geometry.contains(middleOf(pixel)), `pixel ${pixel} of zone ${i}`);
    assert.ok(
      Math.abs(number(zone, 'ha_polygon') / number(zone, 'ha_pixels') - 1) < 1e-6,
      `hectares of ${i}`,
    );
  }
}

describe('Polygons of zones', () => {
  const rounds = isLongTier ? 200 : 12;
  for (const [index, grid] of grids.entries())
    test(`have the pixels of ${rounds} rasters, flooded over edges: ${grid.crs.slice(0, 10)}`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const classes = drawGrid(createRandom(7, 1000 * index + round));
        const made = await polygonsWith(engine, write(grid, classes));
        const zones = readZones(made.path);
        assertPolygons(zones, grid, classes);
        assert.equal(polygonFaultOf(made, { minAreaM2: 0, maxZones: 1000 }), undefined);
        const [first] = zones;
        const all = zones.reduce((sum, zone) => sum + number(zone, 'ha_pixels'), 0);
        const counted = made.classes.reduce((sum, { before }) => sum + before.pixels_m2, 0) / 1e4;
        assert.ok(first === undefined || Math.abs(all / counted - 1) < 1e-12);
      }
    });

  test('take the class of the longest border where they are too small, the smallest first', async () => {
    const grid = grids[1];
    for (let round = 0; round < (isLongTier ? 200 : 25); round += 1) {
      const classes = drawGrid(createRandom(11, round));
      const path = write(grid, classes);
      const areas = pixelAreas(grid, classes);
      const minArea = (2 + (round % 6)) * 870;
      const expected = merged(classes, areas, minArea);
      const made = await polygonsWith(engine, path, { minAreaM2: minArea });
      assertPolygons(readZones(made.path), grid, expected);
      const kept = floods(expected).filter((pixels) => areaOf(pixels, areas) < minArea);
      assert.equal(made.belowMinimum, kept.length);
      const difference = made.classes.map(({ before, polygons_m2: area }) => area - before.pixels_m2);
      assert.ok(
        Math.abs(difference.reduce((sum, each) => sum + each, 0)) < 1e-6 * areaOf([...areas.keys()], areas),
      );
      for (const { value, before, after } of made.classes) {
        const sum = (of: ClassGrid) =>
          areaOf(
            [...of.values.keys()].filter((pixel) => of.values[pixel] === value),
            areas,
          );
        assert.ok(Math.abs(before.pixels_m2 - sum(classes)) < 1e-3);
        assert.ok(Math.abs(after.pixels_m2 - sum(expected)) < 1e-3);
      }
    }
  });

  test('are cut where the middles of pixels lie in units, which small zones do not leave', async () => {
    const grid = grids[0];
    const classes = {
      width: 30,
      height: 20,
      values: Array.from({ length: 600 }, (_, i) => 11 + ((i >> 2) % 3)),
    };
    const units = [
      { id: 'west', geometry: box(66.0249, 49.9, 66.1551, 50.1) },
      { id: 'east', geometry: box(66.1551, 49.9, 66.2501, 49.98) },
    ];
    const unitAt = (column: number, row: number) => {
      const [lon, lat] = [66 + 0.01 * (column + 0.5), 50 - 0.007 * (row + 0.5)];
      if (lat < 49.9 || lon < 66.0249 || lon > 66.2501) return null;
      return lon < 66.1551 ? 'west' : lat < 49.98 ? 'east' : null;
    };
    const path = write(grid, classes);
    for (const minAreaM2 of [0, 3e6]) {
      const made = await polygonsWith(engine, path, { units, minAreaM2 });
      const zones = readZones(made.path);
      const middleOf = middles(grid, classes.width);
      for (let pixel = 0; pixel < 600; pixel += 1) {
        const owners = zones.filter(({ geometry }) => geometry.contains(middleOf(pixel)));
        assert.equal(owners.length, 1);
        const unit = unitAt(pixel % 30, Math.floor(pixel / 30));
        assert.equal(owners[0]?.attributes['kato'], unit, `pixel ${pixel}`);
        assert.equal(owners[0]?.attributes['name'], unit === null ? null : `Unit ${unit}`);
      }
      if (minAreaM2 > 0)
        assert.equal(zones.filter((zone) => number(zone, 'ha_pixels') < 300).length, made.belowMinimum);
    }
  });

  test('say which S and E most of their pixels have, and what their class is called', async () => {
    const grid = grids[1];
    const classes = { width: 4, height: 2, values: [11, 11, 11, 12, 11, 11, 0, 12] };
    const beside = (values: readonly number[]) => write(grid, { ...classes, values });
    const hostile = `"'); drop table zones; --<script>ә\u202e`;
    const made = await polygonsWith(engine, write(grid, classes), {
      suitabilityPath: beside([3, 5, 5, 0, 3, 4, 5, 0]),
      sensitivityPath: beside([1, 2, 2, 0, 2, 0, 0, 5]),
      classes: [{ value: 11, zone: 'V1', sector: 1, titles: { en: hostile, ru: 'Орошение', kk: 'Суару' } }],
    });
    const [one, other] = readZones(made.path).map(({ attributes }) => attributes);
    const known = { zone: 'V1', sector: 1, title_en: hostile, title_ru: 'Орошение', title_kk: 'Суару' };
    // The smaller of 3 and 5, which are equally frequent.
    for (const [name, value] of Object.entries({ ...known, S: 3, E: 2, code: 11 }))
      assert.equal(one?.[name], value, name);
    for (const [name, value] of Object.entries({
      zone: null,
      sector: null,
      title_en: null,
      S: null,
      E: 5,
      code: 12,
    }))
      assert.equal(other?.[name], value, name);
  });

  test('have a spatial index that the check of GeoPackages accepts', async () => {
    const { path } = await polygonsWith(engine, write(grids[2], drawGrid(createRandom(3, 2))));
    assert.deepEqual([...checkGeoPackage(path)], []);
    using database = new DatabaseSync(path, { readOnly: true });
    const nodes = database.prepare(`select rtreecheck('rtree_zones_geom') as said`).get();
    assert.equal(nodes?.['said'], 'ok');
    const places = database.prepare('select * from rtree_zones_geom order by id').all();
    const zones = readZones(path);
    assert.equal(places.length, zones.length);
    for (const [i, { geometry, attributes }] of zones.entries()) {
      const { minX, maxX, minY, maxY } = geometry.getEnvelope();
      const { id, minx, maxx, miny, maxy } = places[i] ?? {};
      assert.equal(id, attributes['fid']);
      const [west, east, south, north] = [Number(minx), Number(maxx), Number(miny), Number(maxy)];
      // The index has single precision, rounded outwards.
      for (const gap of [minX - west, east - maxX, minY - south, north - maxY])
        assert.ok(gap >= 0 && gap < 2e-5, `zone ${i}: ${gap}`);
    }
  });

  test('are the same bytes when they are made again', async () => {
    const path = write(grids[2], drawGrid(createRandom(3, 1)));
    const digest = async () => hash('sha256', await readFile((await polygonsWith(engine, path)).path), 'hex');
    assert.equal(await digest(), await digest());
  });

  test('of too many zones are refused with the least minimum area of two digits that fits', async () => {
    const [grid, random] = [grids[1], createRandom(5, 1)];
    const classes = {
      width: 40,
      height: 30,
      values: Array.from({ length: 1200 }, () => 11 + random.below(5)),
    };
    const path = write(grid, classes);
    const refused = async (minAreaM2: number) =>
      await polygonsWith(engine, path, { minAreaM2, maxZones: 40 }).then(
        (made) => assert.fail(`${made.zones} zones`),
        (error: unknown) => (error instanceof Problem ? error.sentence : assert.fail(String(error))),
      );
    const said = await refused(0);
    assert.deepEqual([said?.code, said?.facts.slice(0, 2)], [tooManyZones, [floods(classes).length, 40]]);
    const fitting = Number(said?.facts[2]);
    const made = await polygonsWith(engine, path, { minAreaM2: fitting * 1e4, maxZones: 40 });
    assert.ok(made.zones <= 40 && made.zones > 0);
    const step = 10 ** (Math.floor(Math.log10(fitting)) - 1);
    assert.deepEqual((await refused((fitting - step) * 1e4))?.facts[2], fitting);
    const islands = write(grid, {
      ...classes,
      values: classes.values.map((value, i) => ((i + Math.floor(i / 40)) % 2 === 0 ? value : 0)),
    });
    await assert.rejects(polygonsWith(engine, islands, { maxZones: 4 }), /no minimum area/);
    await assert.rejects(polygonsWith(engine, path, { maxPositions: 100 }), /positions, more than 100/);
  });

  test('are not made of numbers, of rasters beside the earth, or across 180°', async () => {
    const values = Array.from({ length: 600 }, (_, i) => i / 7);
    const floats = join(engine.folder, 'floats.tif');
    writeRaster(floats, {
      width: 30,
      height: 20,
      crs: 'EPSG:4326',
      affine: [66, 0.01, 0, 50, 0, -0.01],
      value: (column, row) => values[30 * row + column] ?? 0,
    });
    await assert.rejects(polygonsWith(engine, floats), /has no classes/);
    const nowhere = join(engine.folder, 'nowhere.tif');
    writeRaster(nowhere, {
      width: 3,
      height: 2,
      affine: [0, 1, 0, 0, 0, -1],
      dataType: 'Byte',
      value: () => 1,
    });
    await assert.rejects(polygonsWith(engine, nowhere), /has no areas/);
    const far = write(
      { crs: 'EPSG:32601', affine: [200_000, 100_000, 0, 5_500_000, 0, -30] },
      { width: 6, height: 2, values: Array.from({ length: 12 }, () => 11) },
    );
    await assert.rejects(polygonsWith(engine, far), /meridian of 180/);
  });

  test('are believed only where they add up', () => {
    const fine = {
      zones: 2,
      positions: 9,
      belowMinimum: 0,
      classes: [
        {
          value: 11,
          before: { zones: 1, pixels_m2: 10 },
          after: { zones: 1, pixels_m2: 10 },
          polygons_m2: 10,
        },
        {
          value: 12,
          before: { zones: 1, pixels_m2: 20 },
          after: { zones: 1, pixels_m2: 20 },
          polygons_m2: 20,
        },
      ],
    };
    const asked = { minAreaM2: 0, maxZones: 2 };
    assert.equal(polygonFaultOf(fine, asked), undefined);
    const [one = assert.fail(), other = assert.fail()] = fine.classes;
    type Classes = typeof fine.classes;
    const changed = (...classes: Classes) => ({ ...fine, classes });
    for (const [lie, by, options] of [
      [{ ...fine, zones: 3 }, /number of zones/, asked],
      [fine, /number of zones/, { ...asked, maxZones: 1 }],
      [{ ...fine, belowMinimum: 3 }, /more small/, asked],
      [changed(other, one), /out of order/, asked],
      [changed({ ...one, polygons_m2: 11 }, other), /pixels of 11/, asked],
      [
        changed({ ...one, after: { zones: 1, pixels_m2: 11 }, polygons_m2: 11 }, other),
        /than the raster/,
        asked,
      ],
      [
        changed(
          { ...one, before: { zones: 1, pixels_m2: 12 } },
          { ...other, before: { zones: 1, pixels_m2: 18 } },
        ),
        /merged zones of 11/,
        asked,
      ],
    ] as const)
      assert.match(polygonFaultOf(lie, options) ?? '', by);
  });
});

/** Square metres of each pixel. */
function pixelAreas({ crs, affine }: Grid, { width, height }: ClassGrid): Float64Array {
  const wkt = gdal.SpatialReference.fromUserInput(crs).toWKT();
  const areas = createPixelAreas({ width, height, affine }, earthOf(wkt));
  const all = new Float64Array(width * height);
  for (let row = 0; row < height; row += 1)
    areas.fillRow(row, 0, all.subarray(row * width, (row + 1) * width));
  return all;
}

function areaOf(pixels: readonly number[], areas: Float64Array): number {
  return pixels.reduce((sum, pixel) => sum + (areas[pixel] ?? 0), 0);
}

/** Merges small zones one by one and examines everything again after each: slow but simple. Pixels are 30 m wide and 37 m high. */
function merged(classes: ClassGrid, areas: Float64Array, minArea: number): ClassGrid {
  const { width } = classes;
  const values = [...classes.values];
  const stuck = new Set<number>();
  for (;;) {
    const regions = floods({ ...classes, values });
    const small = regions
      .filter((pixels) => areaOf(pixels, areas) < minArea && !stuck.has(pixels[0] ?? -1))
      .toSorted((one, other) => areaOf(one, areas) - areaOf(other, areas))[0];
    if (small === undefined) return { ...classes, values };
    const own = new Set(small);
    const regionOf = new Map(regions.flatMap((pixels) => pixels.map((pixel) => [pixel, pixels] as const)));
    const borders = new Map<number, { length: number; area: number; first: number }>();
    for (const pixel of small)
      for (const next of edgeNeighbours(pixel, classes)) {
        const value = values[next] ?? 0;
        if (own.has(next) || value === 0) continue;
        const region = regionOf.get(next) ?? [];
        const found = borders.get(value) ?? { length: 0, area: 0, first: Infinity };
        const length = found.length + (Math.abs(next - pixel) === width ? 30 : 37);
        const area = Math.max(found.area, areaOf(region, areas));
        borders.set(value, { length, area, first: Math.min(found.first, region[0] ?? Infinity) });
      }
    const [best] = [...borders].toSorted(
      ([, one], [, other]) => other.length - one.length || other.area - one.area || one.first - other.first,
    );
    if (best === undefined) stuck.add(small[0] ?? -1);
    else for (const pixel of small) values[pixel] = best[0];
  }
}
