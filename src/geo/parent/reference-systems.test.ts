import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { z } from 'zod';
import { prepareGdal } from '../../../test/support/geo/engine-here.ts';
import {
  findReferenceSystems,
  listProjFiles,
  projVariables,
  type ReferenceSystems,
} from './reference-systems.ts';

/**
 * Longitude, latitude, easting and northing in QazTRF-23 / Gauss-Kruger zone 12, computed with PROJ 9.7.1 and its own database. The other
 * zones have the same figures: their meridians are 6° apart, and their eastings begin with their numbers.
 */
const zone12 = [
  [69, 48, 12_500_000, 5_318_427.5954],
  [66.1, 51.123456, 12_296_985.781, 5_669_821.3977],
  [71.5, 44.9, 12_697_459.9711, 4_976_873.1004],
] as const;
const metresPerDegree = 111_195;
/** A place in Pulkovo 1942. */
const pulkovo = [71.4321, 51.1234] as const;

describe('reference systems that are newer than those of PROJ', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steppe-grids-'));
    await prepareGdal('vector');
  });
  after(async () => await rm(folder, { recursive: true }));

  test('are added by set-up, and every operation among them has all its steps', async () => {
    const { epsg, folders } = await findReferenceSystems();
    assert.match(epsg ?? '', /^v1[2-9]\.\d{3}$/);
    using database = new DatabaseSync(join(folders[0] ?? '', 'proj.db'), { readOnly: true });
    const { zones } =
      database
        .prepare(
          "select count(*) as zones from projected_crs where name like 'QazTRF-23 / Gauss-Kruger zone %'",
        )
        .get() ?? {};
    assert.equal(zones, 8);
    const incomplete = database.prepare(`select auth_name, code from concatenated_operation o where 2 >
      (select count(*) from concatenated_operation_step s where s.operation_auth_name = o.auth_name and s.operation_code = o.code)`);
    assert.deepEqual(incomplete.all(), []);
  });

  test('transform all zones of QazTRF-23 to degrees and back within a millimetre', async () => {
    const { createTransformation } = await import('../gdal/transformation.ts');
    for (let zone = 8; zone <= 15; zone += 1) {
      const epsg = 10_934 + zone;
      for (const [longitude, latitude, easting, northing] of zone12) {
        const [lon, x] = [longitude + 6 * (zone - 12), easting + 1e6 * (zone - 12)];
        const there = createTransformation({ epsg }, { epsg: 4326 }).transformPoint(x, northing);
        assert.ok(Math.abs(there.x - lon) * metresPerDegree < 1e-3, `${epsg}: ${there.x}`);
        assert.ok(Math.abs(there.y - latitude) * metresPerDegree < 1e-3, `${epsg}: ${there.y}`);
        const back = createTransformation({ epsg: 10_941 }, { epsg }).transformPoint(lon, latitude);
        assert.ok(Math.hypot(back.x - x, back.y - northing) < 1e-3, `${epsg}: ${back.x}, ${back.y}`);
      }
    }
  });

  test('transform geocentric QazTRF-23 to degrees and back within a millimetre', async () => {
    const { createTransformation } = await import('../gdal/transformation.ts');
    const [longitude, latitude, height] = [71.43, 51.12, 350];
    const [x, y, z] = [1_277_631.1719, 3_802_990.0286, 4_942_207.5951]; // PROJ 9.7.1
    const there = createTransformation({ epsg: 10_940 }, { epsg: 10_939 });
    const found = there.transformPoint(longitude, latitude, height);
    assert.ok(Math.hypot(found.x - x, found.y - y, (found.z ?? NaN) - z) < 1e-3, JSON.stringify(found));
    const back = createTransformation({ epsg: 10_939 }, { epsg: 10_940 }).transformPoint(x, y, z);
    const [east, north] = [back.x - longitude, back.y - latitude].map((degrees) => degrees * metresPerDegree);
    assert.ok(Math.hypot(east ?? NaN, north ?? NaN, (back.z ?? NaN) - height) < 1e-3, JSON.stringify(back));
  });

  test('lead from Pulkovo 1942 to QazTRF-23 by the grid of the operator, and by the parameters of EPSG without it', async () => {
    const grids = join(folder, 'shifted');
    await mkdir(grids);
    const [north, east] = [0.36, -0.72];
    await writeFile(join(grids, 'qazgrid_kz.gsb'), ntv2({ north, east }));
    const by = async (...given: readonly string[]) => await toQazTrf(await findReferenceSystems(...given));
    const [withGrid, without] = [await by(grids), await by()];
    const [longitude, latitude] = pulkovo;
    assert.ok(Math.abs(withGrid.x - longitude - east / 3600) < 1e-11, `${withGrid.x}`);
    assert.ok(Math.abs(withGrid.y - latitude - north / 3600) < 1e-11, `${withGrid.y}`);
    // By seven parameters it is some 60 m away.
    assert.ok(Math.abs(without.x - longitude) > 1e-4, `${without.x}`);
  });

  test('have the grids of the operator beside them, and a folder that cannot be read is a clear error', async () => {
    await writeFile(join(folder, 'qazgrid_kz.gsb'), 'grid');
    // A database there would replace that of PROJ.
    await writeFile(join(folder, 'proj.db'), '');
    const systems = await findReferenceSystems(folder);
    assert.deepEqual(systems.grids, ['qazgrid_kz.gsb']);
    assert.ok(systems.folders.indexOf(folder) > 0);
    const { PROJ_DATA: path = '' } = projVariables(systems);
    assert.equal(path, systems.folders.join(':'));
    assert.ok(
      (await listProjFiles(systems)).some(([name, bytes]) => name === 'qazgrid_kz.gsb' && bytes === 4),
    );
    await assert.rejects(
      findReferenceSystems(join(folder, 'nowhere')),
      /^Error: PROJ_GRIDS_DIR: the folder .+ cannot be read$/,
    );
  });
});

/** Position of the place in QazTRF-23, by a process that finds these systems and grids: PROJ reads them once. */
async function toQazTrf(systems: ReferenceSystems): Promise<{ readonly x: number; readonly y: number }> {
  const code = `const { createTransformation } = await import(${JSON.stringify(import.meta.resolve('../gdal/transformation.ts'))});
    console.log(JSON.stringify(createTransformation({ epsg: 4284 }, { epsg: 10941 }).transformPoint(${pulkovo.join(', ')})));`;
  const env = { ...process.env, ...projVariables(systems) };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    env,
  });
  return z.object({ x: z.number(), y: z.number() }).parse(JSON.parse(stdout));
}

/**
 * An NTv2 grid over Kazakhstan with one shift everywhere, in seconds of arc. Records have 16 bytes; longitudes are positive to the west.
 */
function ntv2({ north, east }: { readonly north: number; readonly east: number }): Buffer {
  const degree = 3600;
  const [south, top, right, left, step] = [39 * degree, 57 * degree, 90 * degree, 45 * degree, 3 * degree];
  const record = (name: string, value: number | string, isInteger = false): Buffer => {
    const bytes = Buffer.alloc(16);
    bytes.write(name.padEnd(8), 'latin1');
    if (typeof value === 'string') bytes.write(value.padEnd(8), 8, 'latin1');
    else if (isInteger) bytes.writeInt32LE(value, 8);
    else bytes.writeDoubleLE(value, 8);
    return bytes;
  };
  const count = ((top - south) / step + 1) * ((right - left) / step + 1);
  const node = Buffer.alloc(16);
  for (const [place, value] of [north, -east].entries()) node.writeFloatLE(value, 4 * place);
  return Buffer.concat([
    record('NUM_OREC', 11, true),
    record('NUM_SREC', 11, true),
    record('NUM_FILE', 1, true),
    record('GS_TYPE', 'SECONDS'),
    record('VERSION', 'TEST'),
    record('SYSTEM_F', 'PULKOVO'),
    record('SYSTEM_T', 'QAZTRF'),
    record('MAJOR_F', 6_378_245),
    record('MINOR_F', 6_356_863.018_773),
    record('MAJOR_T', 6_378_137),
    record('MINOR_T', 6_356_752.314_14),
    record('SUB_NAME', 'ALL'),
    record('PARENT', 'NONE'),
    record('CREATED', '20260101'),
    record('UPDATED', '20260101'),
    record('S_LAT', south),
    record('N_LAT', top),
    record('E_LONG', -right),
    record('W_LONG', -left),
    record('LAT_INC', step),
    record('LONG_INC', step),
    record('GS_COUNT', count, true),
    ...Array.from({ length: count }, () => node),
    record('END', 0),
  ]);
}
