import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { prepareGdal } from '../../../test/support/geo/engine-here.ts';
import { findReferenceSystems, listProjFiles, projVariables } from './reference-systems.ts';

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
