import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openVectorEngineHere } from '../../../test/support/geo/engine-here.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { sampleOf } from '../../../test/support/tier.ts';
import { areaOf, isWithin, lengthOf, type Line, type Ring } from '../../../test/support/geo/on-earth.ts';

/** A geometry with the results of pyproj and shapely; see `cases.py` beside this file. */
interface Case {
  readonly name: string;
  readonly crs: string;
  /** Positions of each straight line of the geometry. */
  readonly segments: number;
}
interface PolygonCase extends Case {
  readonly type: 'Polygon';
  readonly coordinates: readonly Ring[];
  /** Area in square metres. */
  readonly area: number;
  readonly within: Line;
  readonly outside: Line;
}
interface LineCase extends Case {
  readonly type: 'LineString';
  readonly coordinates: Line;
  /** Length in metres. */
  readonly length: number;
}

const tolerance = 1e-6;
const cases: readonly (PolygonCase | LineCase)[] = JSON.parse(
  await readFile(fixture('earth/cases.json'), 'utf8'),
);
const chosen = sampleOf(cases, 5);
const engine = await closeAfterTests(openVectorEngineHere());
const { default: gdal } = await import('gdal-async');

/** Adds positions to every straight line of a geometry, as many as the case requires. */
function densified(line: Line, segments: number): Line {
  return line.flatMap(([x, y], index) => {
    const [nextX, nextY] = line[index + 1] ?? [x, y];
    const count = index + 1 < line.length ? segments : 1;
    return Array.from({ length: count }, (_, n): Line[number] => [
      x + ((nextX - x) * n) / segments,
      y + ((nextY - y) * n) / segments,
    ]);
  });
}

function geometryOf(each: PolygonCase | LineCase) {
  const { type, segments } = each;
  return type === 'Polygon'
    ? { type, coordinates: each.coordinates.map((ring) => densified(ring, segments)) }
    : { type, coordinates: densified(each.coordinates, segments) };
}

const formats = {
  async geojson(each: PolygonCase | LineCase): Promise<string> {
    const path = join(engine.folder, 'case.geojson');
    const crs = { type: 'name', properties: { name: each.crs } };
    await writeFile(
      path,
      JSON.stringify({ type: 'Feature', crs, properties: {}, geometry: geometryOf(each) }),
    );
    return path;
  },
  async gpkg(each: PolygonCase | LineCase): Promise<string> {
    const path = join(engine.folder, `${each.name.replaceAll(/\W/g, '_')}.gpkg`);
    const dataset = gdal.drivers.get('GPKG').create(path);
    const srs = gdal.SpatialReference.fromEPSG(Number(each.crs.slice(5)));
    const layer = dataset.layers.create(
      'case',
      srs,
      each.type === 'Polygon' ? gdal.wkbPolygon : gdal.wkbLineString,
    );
    const feature = new gdal.Feature(layer);
    feature.setGeometry(gdal.Geometry.fromGeoJson(geometryOf(each)));
    layer.features.add(feature);
    dataset.close();
    return path;
  },
};

/** Depth of the positions in the coordinates of each type of geometry. */
const depths: Readonly<Record<string, number>> = {
  LineString: 0,
  MultiLineString: 1,
  Polygon: 1,
  MultiPolygon: 2,
};

async function assembled(path: string) {
  const { geojsonPath } = await engine.run((geo, task) => geo.assembleVector(task), path);
  const [feature] = JSON.parse(await readFile(geojsonPath, 'utf8')).features;
  assert.ok(feature !== undefined, 'there is no feature');
  const { geometry } = feature;
  assert.ok(gdal.Geometry.fromGeoJson(geometry).isValid());
  for (const [lon, lat] of geometry.coordinates.flat(depths[geometry.type])) {
    assert.ok(Math.abs(lon) <= 180 && Math.abs(lat) <= 90, `${lon}, ${lat}`);
  }
  return geometry;
}

describe('geometry across 180° and around the poles', () => {
  for (const [index, each] of chosen.entries()) {
    for (const format of index % 4 === 0 ? (['gpkg', 'geojson'] as const) : (['geojson'] as const)) {
      test(`${each.name}, as .${format}`, async () => {
        const { type, coordinates } = await assembled(await formats[format](each));
        if (each.type === 'LineString') {
          const lines: readonly Line[] = type === 'LineString' ? [coordinates] : coordinates;
          assertClose(
            lines.reduce((sum, line) => sum + lengthOf(line), 0),
            each.length,
          );
          return;
        }
        const polygons: readonly (readonly Ring[])[] = type === 'Polygon' ? [coordinates] : coordinates;
        assertClose(areaOf(polygons), each.area);
        for (const place of each.within) assert.ok(isWithin(polygons, place), `${place.join()} is within`);
        for (const place of each.outside) assert.ok(!isWithin(polygons, place), `${place.join()} is outside`);
      });
    }
  }
});

function assertClose(actual: number, expected: number): void {
  const difference = Math.abs(actual / expected - 1);
  assert.ok(difference <= tolerance, `${actual} is not ${expected}: ${difference}`);
}
