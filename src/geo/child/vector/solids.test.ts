import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import {
  doubles,
  geometryBlob,
  pointBlob,
  wkbHead,
  writeGeoPackage,
} from '../../../../test/support/geo/geopackages.ts';
import { hostileZip } from '../../../../test/support/hostile/hostile-zip.ts';

const engine = await closeAfterTests(openVectorEngineHere());

const ground = [70, 50, 0, 71, 50, 0, 71, 51, 0, 70, 51, 0, 70, 50, 0];
const roof = ground.map((value, index) => (index % 3 === 2 ? 9 : value));
/** A wall along a slanted line, on which its corners lie only approximately. */
const wall = [70, 50, 0, 71, 51, 0, 71, 51, 9, 70.3, 50.3, 9, 70, 50, 0];
const square = [
  [
    [70, 50],
    [71, 50],
    [71, 51],
    [70, 51],
    [70, 50],
  ],
];

describe('A solid', () => {
  async function read(path: string) {
    const { geojsonPath, findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
    const { features } = JSON.parse(await readFile(geojsonPath, 'utf8'));
    return {
      geometry: features[0]?.geometry,
      types: findings.source?.layers[0]?.geometry_types,
      warnings: findings.warnings.map(({ code, message }) => `${code}: ${message}`),
    };
  }
  const geopackage = (name: string, geometries: readonly Buffer[]) =>
    writeGeoPackage(join(engine.folder, `${name}.gpkg`), { geometries });

  test('of a GeoPackage is read as its footprint, also inside of a collection', async () => {
    const solid = surface(1015, 1003, [ground, roof, wall]);
    const collection = Buffer.concat([wkbHead(1007, 1), solid]);
    const path = geopackage('solids', [pointBlob(60, 50), geometryBlob(solid), geometryBlob(collection)]);
    const { geometry, types, warnings } = await read(path);
    const [ring]: number[][][] = geometry.geometries[1].coordinates;
    assert.deepEqual(new Set(ring?.map(String)), new Set(['70,50', '71,50', '71,51', '70,51']));
    assert.equal(ring?.length, 5);
    assert.deepEqual(types, ['GeometryCollection', 'Point', 'PolyhedralSurface']);
    assert.deepEqual(warnings, [
      'solids_flattened: 2 features are solids or surfaces of triangles; they were read as their footprint, the ground that they cover. The first is feature 2.',
    ]);
  });

  test('of walls alone is refused when there is nothing else', async () => {
    const walls = geometryBlob(surface(1015, 1003, [wall, wall]));
    await assert.rejects(read(geopackage('walls', [walls])), /the first of it is that of feature 1/);
    const { geometry, warnings } = await read(geopackage('walls-and-point', [walls, pointBlob(60, 50)]));
    assert.equal(geometry.type, 'Point');
    assert.match(warnings.join('\n'), /^geometry_lost: One line or polygon has no extent.*feature 1\.$/m);
  });

  test('of a shapefile of MultiPatches is read as its footprint', async () => {
    const path = join(engine.folder, 'patches.zip');
    const parts = multiPatches([[ground, roof, wall], []]);
    const members = Object.entries({ ...parts, prj: prjOfWgs84 });
    await writeFile(path, hostileZip(members.map(([kind, bytes]) => ({ name: `b.${kind}`, bytes }))));
    const { geometry, types, warnings } = await read(path);
    assert.deepEqual(geometry, { type: 'Polygon', coordinates: square });
    assert.deepEqual(types, ['MultiPatch']);
    assert.equal(
      warnings.at(-1),
      'solids_flattened: Feature 1 is a solid or a surface of triangles; it was read as its footprint, the ground that it covers.',
    );
  });
});

const prjOfWgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** Well-known binary of a surface made of pieces with one ring. */
function surface(kind: number, pieceKind: number, rings: readonly (readonly number[])[]): Buffer {
  const pieces = rings.map((ring) => {
    const count = Buffer.alloc(4);
    count.writeUInt32LE(ring.length / 3);
    return Buffer.concat([wkbHead(pieceKind, 1), count, doubles(ring)]);
  });
  return Buffer.concat([wkbHead(kind, rings.length), ...pieces]);
}

/** A shapefile whose records are outer rings with heights; a record without rings is empty. */
function multiPatches(records: readonly (readonly (readonly number[])[])[]) {
  const contents = records.map((rings) => {
    if (rings.length === 0) return Buffer.alloc(4);
    const points = rings.flat();
    const head = Buffer.alloc(44 + 8 * rings.length);
    head.writeInt32LE(31, 0);
    doubles([70, 50, 71, 51]).copy(head, 4);
    head.writeUInt32LE(rings.length, 36);
    head.writeUInt32LE(points.length / 3, 40);
    let begin = 0;
    for (const [index, ring] of rings.entries()) {
      head.writeUInt32LE(begin, 44 + 4 * index);
      head.writeUInt32LE(2, 44 + 4 * (rings.length + index));
      begin += ring.length / 3;
    }
    const plan = points.filter((_, index) => index % 3 !== 2);
    const heights = points.filter((_, index) => index % 3 === 2);
    return Buffer.concat([head, doubles(plan), doubles([0, 9]), doubles(heights)]);
  });
  const fileHead = (bytes: number) => {
    const head = Buffer.alloc(100);
    head.writeInt32BE(9994, 0);
    head.writeInt32BE(bytes / 2, 24);
    head.writeInt32LE(1000, 28);
    head.writeInt32LE(31, 32);
    doubles([70, 50, 71, 51, 0, 9, 0, 0]).copy(head, 36);
    return head;
  };
  const heads = contents.map((content, index) => {
    const head = Buffer.alloc(8);
    head.writeInt32BE(index + 1, 0);
    head.writeInt32BE(content.length / 2, 4);
    return head;
  });
  let at = 100;
  const entries = contents.map((content) => {
    const entry = Buffer.alloc(8);
    entry.writeInt32BE(at / 2, 0);
    entry.writeInt32BE(content.length / 2, 4);
    at += 8 + content.length;
    return entry;
  });
  const shapes = contents.flatMap((content, index) => [heads[index] ?? Buffer.alloc(8), content]);
  return {
    shp: Buffer.concat([fileHead(at), ...shapes]),
    shx: Buffer.concat([fileHead(100 + 8 * contents.length), ...entries]),
  };
}
