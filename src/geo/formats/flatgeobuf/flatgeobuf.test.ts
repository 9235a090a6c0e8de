import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openVectorEngineHere } from '../../../../test/support/geo/engine-here.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { repetitions } from '../../../../test/support/tier.ts';
import { encodeHeader } from '../../child/vector/features/header.ts';
import { UnprocessableFile } from '../../engine.ts';
import { magicBytes } from '../../flatgeobuf/layout.ts';

const engine = await closeAfterTests(openVectorEngineHere());

const here = (name: string) => fixture(`flatgeobuf/${name}.fgb`);

async function assemble(path: string) {
  const { geojsonPath, features, findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
  const geojson = await readFile(geojsonPath, 'utf8');
  return { geojson, findings, features: features && (await readFile(features.path)) };
}

async function table(path: string) {
  const { columns, rowsPath } = await engine.run((geo, task) => geo.readTable(task), path);
  return { columns, rows: (await readFile(rowsPath, 'utf8')).trimEnd().split('\n') };
}

describe('A FlatGeobuf', () => {
  test('becomes what a GeoPackage of the same features becomes', async () => {
    const [own, other] = [
      await assemble(here('poly_golden')),
      await assemble(fixture('vector/poly_golden.gpkg')),
    ];
    const [ownRows, otherRows] = [own, other].map(({ geojson }) => {
      const { properties, geometry } = JSON.parse(geojson).features[0];
      return { geometry, rows: properties.rows.map((row: object) => JSON.stringify(row)).toSorted() };
    });
    assert.deepEqual(ownRows, otherRows);
    assert.equal(own.features?.length, other.features?.length);
  });

  test('has geometry of every kind: curves, solids, heights and none', async () => {
    const [own, other] = [
      await assemble(here('every_kind')),
      await assemble(fixture('flatgeobuf/every_kind.zip')),
    ];
    const [geometry, expected] = [own, other].map(({ geojson }) => JSON.parse(geojson).features[0].geometry);
    assert.deepEqual(geometry, expected);
    const codes = [own, other].map(({ findings }) => findings.warnings.map(({ code }) => code));
    assert.deepEqual(codes[0], codes[1]);
    assert.ok(codes[0]?.includes('solids_flattened'));
    assert.equal((await table(here('every_kind'))).rows.length, 13);
  });

  test('keeps the digits of a value of each type', async () => {
    const { columns, rows } = await table(here('alldatatypes'));
    assert.deepEqual(
      Object.fromEntries(columns.map((name, index) => [name, JSON.parse(rows[0] ?? '')[index]])),
      {
        byte: -1,
        ubyte: 255,
        bool: true,
        short: -1,
        ushort: 65_535,
        int: -1,
        uint: 4_294_967_295,
        long: -1,
        ulong: 18_446_744_073_709_552_000,
        float: 0,
        double: 0,
        string: 'X',
        json: 'X',
        datetime: '2020-02-29T12:34:56Z',
        binary: '58',
      },
    );
    assert.match(rows[0] ?? '', /18446744073709551615/);
  });

  test('may have no features, no columns, no number of features, and types of their own', async () => {
    const read = async (name: string) => {
      const { geojson, findings } = await assemble(here(name));
      return { features: JSON.parse(geojson).features, source: findings.source };
    };
    assert.deepEqual((await read('empty')).features, []);
    for (const name of [
      'no_properties',
      'unknown_feature_count',
      'mp_overlapping',
      'triangle',
      'heterogeneous',
    ]) {
      const { features, source } = await read(name);
      assert.equal(features.length, 1, name);
      assert.equal(source?.driver, 'FlatGeobuf');
      assert.ok((source?.layers[0]?.features ?? 0) > 0, name);
    }
  });
});

/** Number of places of each file that are changed. */
const places = repetitions('STEPPE_TEST_FLATGEOBUF_PLACES', 8, 2000);

describe('A hostile FlatGeobuf', () => {
  /** Reads a file that may be anything: it becomes a result, or a sentence. */
  async function tried(bytes: Buffer): Promise<string | undefined> {
    const path = join(engine.folder, 'hostile.fgb');
    await writeFile(path, bytes);
    try {
      await assemble(path);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof UnprocessableFile, String(error));
      return error.message;
    }
  }

  test('that ends anywhere is refused', async () => {
    const whole = await readFile(here('mp_overlapping'));
    for (let end = 0; end < whole.length; end += 197)
      assert.match((await tried(whole.subarray(0, end))) ?? '', /FlatGeobuf|damaged|GeoJSON/, `at ${end}`);
  });

  test('with any other number in it is read or refused', async () => {
    for (const name of ['every_kind', 'alldatatypes', 'heterogeneous']) {
      const whole = await readFile(here(name));
      const numbers = [0, 1, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
      const step = Math.ceil(whole.length / places);
      for (let at = 8; at + 4 <= whole.length; at += step) {
        const other = Buffer.from(whole);
        other.writeUInt32LE(numbers[at % numbers.length] ?? 0, at);
        await tried(other);
      }
    }
  });

  test('names more features than it has, or fewer, or is of another version', async () => {
    const whole = await readFile(here('poly_golden'));
    const countAt = whole.indexOf(Buffer.of(10, 0, 0, 0, 0, 0, 0, 0), 12);
    const named = (count: number): Buffer => {
      const other = Buffer.from(whole);
      other.writeUInt32LE(count, countAt);
      return other;
    };
    assert.equal(await tried(named(10)), undefined);
    for (const count of [9, 11, 1000, 0x7fff_ffff])
      assert.match((await tried(named(count))) ?? '', /damaged/, String(count));
    const other = Buffer.from(whole);
    other.writeUInt8(2, 3);
    assert.match((await tried(other)) ?? '', /version 3/);
  });

  test('whose members share their bytes does not grow', async () => {
    assert.match((await tried(sharing())) ?? '', /feature 1 cannot be read/);
  });
});

/** Builds a file with a collection of 1000 times the same collection, twenty deep. */
function sharing(): Buffer {
  const header = encodeHeader({
    columns: [],
    features: 0,
    extent: undefined,
    geometryType: 'GeometryCollection',
    hasHeights: false,
  });
  const [depth, members, fieldsAt, firstAt] = [20, 1000, 20, 40];
  const levelBytes = 12 + 4 + 4 * members;
  const own = Buffer.alloc(firstAt + depth * levelBytes);
  own.writeUInt32LE(12, 0);
  for (const [index, value] of [6, 8, 4].entries()) own.writeUInt16LE(value, 4 + 2 * index);
  own.writeInt32LE(12 - 4, 12);
  own.writeUInt32LE(firstAt - 16, 16);
  for (const [index, value] of [20, 12, 0, 0, 0, 0, 0, 0, 8, 4].entries())
    own.writeUInt16LE(value, fieldsAt + 2 * index);
  for (let level = 0; level < depth; level += 1) {
    const at = firstAt + level * levelBytes;
    own.writeInt32LE(at - fieldsAt, at);
    own.writeUInt32LE(8, at + 4);
    own.writeUInt8(7, at + 8);
    if (level === depth - 1) break;
    own.writeUInt32LE(members, at + 12);
    for (let place = at + 16; place < at + levelBytes; place += 4)
      own.writeUInt32LE(at + levelBytes - place, place);
  }
  const length = Buffer.alloc(4);
  length.writeUInt32LE(own.length);
  return Buffer.concat([magicBytes, header, length, own]);
}
