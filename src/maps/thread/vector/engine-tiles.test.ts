import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { createVectorTileHandler } from './vector-tile.ts';
import type { VectorKind } from './read-source.ts';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { projectRoot } from '../../../../test/support/project.ts';
import { sampleOf } from '../../../../test/support/tier.ts';
import {
  added,
  decodeTile,
  type Feature,
  measureSource,
  memoryContext,
  type Measure,
  tilesOf,
} from '../../../../test/support/maps/vector-tiles.ts';

const engine = await closeAfterTests(openVectorEngineHere());
const zooms = sampleOf([0, 1, 2, 3, 4, 5, 6, 7, 8], 3);

/** Cuts all tiles of a zoom in a box, and joins the parts of each feature. */
async function featuresAt(
  text: string,
  z: number,
  { kind, box }: { kind: VectorKind; box: readonly number[] },
) {
  const vectorTile = createVectorTileHandler();
  const context = memoryContext({ source: text });
  const found = new Map<number | undefined, Measure & { readonly properties: unknown }>();
  for (const [, x, y] of tilesOf(box, z)) {
    const layers = [{ name: 'the-layer', key: 'source', kind }];
    const { bytes, isThinned } = await vectorTile(
      { layers, tile: { z, x, y }, datetime: undefined },
      context,
    );
    assert.equal(isThinned, false);
    for (const { layer, id, properties, ...measure } of decodeTile(bytes, z)) {
      assert.equal(layer, 'the-layer');
      const before = found.get(id);
      if (before !== undefined) assert.deepEqual(properties, before.properties);
      found.set(id, { ...added(before ?? { area: 0, length: 0, points: 0 }, measure), properties });
    }
  }
  return found;
}

/** Simplification by 3 of 4096 units changes smaller features by more than 1 %. */
const exactUnits = 200;
/** Features of which each part is smaller than 3 units are lost entirely. */
const lostUnits = 12;

/** Asserts that every feature of a source is in the tiles of a zoom, unchanged. */
function assertSame(
  found: Awaited<ReturnType<typeof featuresAt>>,
  z: number,
  wanted: ReadonlyMap<number, { readonly feature: Feature; readonly properties: unknown }>,
): number {
  const unit = 1 / (4096 * 2 ** z);
  let exact = 0;
  for (const [id, { feature, properties }] of wanted) {
    const measure = measureSource(feature.geometry);
    const got = found.get(id);
    if (got === undefined) {
      assert.ok(
        Math.sqrt(measure.area) + measure.length < lostUnits * unit && measure.points === 0,
        `${z} ${id}`,
      );
      continue;
    }
    assert.deepEqual({ ...Object(got.properties) }, properties);
    assert.equal(got.points, measure.points);
    for (const [size, name] of [
      [Math.sqrt(measure.area), 'area'],
      [measure.length, 'length'],
    ] as const) {
      if (size < exactUnits * unit) continue;
      const ratio = got[name] / measure[name];
      assert.ok(Math.abs(ratio - 1) < 0.01, `${name} of ${id} at ${z}: ${ratio}`);
      exact += 1;
    }
  }
  assert.ok([...found.keys()].every((id) => id !== undefined && wanted.has(id)));
  return exact;
}

describe('Tiles of a dissolved vector', async () => {
  /** Names of fixtures, boxes around them, and the first zoom at which a feature is large enough to be measured. */
  const files = [
    ['raiony_cp1251_with_cpg.zip', [46, 40, 88, 56], 2],
    ['nybb_epsg2263.zip', [-75, 40, -73, 41], 6],
    ['multi_geometries.geojson', [-180, -85, 180, 85], 0],
    ['geometrycollection.gpkg', [-180, -85, 180, 85], 0],
    ['trio.geojson', [-180, -85, 180, 85], 9],
    ['antimeridian.geojson', [-180, -85, 180, 85], 3],
    ['nested_attrs.geojson', [-180, -85, 180, 85], 9],
    ['3d_point.geojson', [-180, -85, 180, 85], 9],
  ] as const;
  for (const [name, box, firstMeasured] of files) {
    test(`have the geometry and the attributes of ${name} at every zoom`, async () => {
      const path = fixture(`vector/${name}`);
      const { geojsonPath } = await engine.run((geo, task) => geo.assembleVector(task), path);
      const text = await readFile(geojsonPath, 'utf8');
      const [feature] = featuresOf(text);
      assert.ok(feature !== undefined);
      const properties = Object.fromEntries(
        Object.entries(feature.properties).filter(([, value]) => value !== null && typeof value !== 'object'),
      );
      for (const z of zooms) {
        const found = await featuresAt(text, z, { kind: 'vector', box });
        const exact = assertSame(found, z, new Map([[0, { feature, properties }]]));
        assert.equal(exact > 0, z >= firstMeasured, `zoom ${z}`);
      }
    });
  }
});

describe('Tiles of administrative units', async () => {
  const features = (
    await Promise.all(
      ['regions', 'districts'].map((name) =>
        readFile(`${projectRoot}/seeds/districts/${name}.geojsonl`, 'utf8'),
      ),
    )
  ).flatMap((lines) => featuresOf(`{"features":[${lines.trimEnd().replaceAll('\n', ',')}]}`));
  const box = [46, 40, 88, 56];
  const byCode = new Map(
    features.map((feature) => [
      Number(feature.properties['kato']),
      { feature, properties: feature.properties },
    ]),
  );

  test('have the area and the names of all 244 at every zoom', async () => {
    assert.equal(byCode.size, 244);
    const text = JSON.stringify({ type: 'FeatureCollection', features });
    const exact: number[] = [];
    for (const z of zooms) {
      const found = await featuresAt(text, z, { kind: 'districts', box });
      exact.push(assertSame(found, z, byCode));
      if (z >= 4) assert.equal(found.size, 244);
    }
    assert.deepEqual(exact, sampleOf([0, 0, 14, 44, 152, 193, 207, 233, 242], 3));
  });
});

function featuresOf(text: string): readonly Feature[] {
  return JSON.parse(text).features;
}
