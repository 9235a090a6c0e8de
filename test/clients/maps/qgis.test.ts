import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { assertColours } from '../../support/maps/legends.ts';
import { documentLines } from '../../support/tools/paste.ts';
import { pixelCentres, toLonLat, valuesAt } from './gdal-tools.ts';
import { type ClientMap, days, openMaps } from './maps.ts';

installDebianPackages(['gdal-bin', 'python3-qgis', 'qgis-providers']);

const program = join(import.meta.dirname, 'qgis-program.py');
const maps = await openMaps();
const folder = await temporaryFolder();
const [tutorialLines] = documentLines('docs/tutorial.md', 'python', 'A zoning');
const [docsLines] = documentLines('docs/maps.md', 'python', 'QGIS');

interface Seen {
  readonly isValid: boolean;
  readonly colours: readonly string[];
  /** Null for a point outside of the picture. */
  readonly atPoints: readonly (string | null)[];
}

/** Asserts that both layers are valid, and have the colours of the legend where the COG has their values. */
function assertDrawnByQgis(map: ClientMap, lines: string, uri: string): void {
  const cog = `/vsicurl/${map.dataset}.cog`;
  const places = pixelCentres(folder, cog, 5);
  const values = valuesAt(folder, cog, places);
  const input = JSON.stringify({ lines, uri, points: toLonLat(folder, places) });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    QT_QPA_PLATFORM: 'offscreen',
  };
  const shown = execFileSync('/usr/bin/python3', [program], { cwd: folder, env, input, encoding: 'utf8' });
  const layers: readonly Seen[] = JSON.parse(shown);
  assert.equal(layers.length, 2);
  const known = new Set([...map.colours.values(), '#ffffff']);
  for (const { isValid, colours, atPoints } of layers) {
    assert.ok(isValid);
    assertColours(colours, known);
    const expected = values.map(([value = 0], index) =>
      atPoints[index] === null ? null : (map.colours.get(value) ?? '#ffffff'),
    );
    assert.deepEqual(atPoints, expected);
    assert.ok(atPoints.filter((colour) => colour !== null).length > 50);
  }
}

const wmtsUri = ({ address, group }: ClientMap, more = '') =>
  `crs=EPSG:3857&format=image/png&layers=${group}&styles=default&tileMatrixSet=WebMercatorQuad${more}&url=${address}/wmts`;

test('QGIS shows the zoning by the lines of the tutorial, and by WMTS', () => {
  const lines = tutorialLines.replace(/http:\S+dataset-groups\/…/, maps.zoning.address);
  assertDrawnByQgis(maps.zoning, lines, wmtsUri(maps.zoning));
});

test('QGIS shows the raster of a day by WMTS, and another by ?time=', async () => {
  const [first] = days;
  const { [first]: map } = await maps.makeYears();
  const tiles = `${map.address}/tiles/{z}/{x}/{y}.png`;
  const lines = docsLines.replace(/'https:\S+png'/, `'${tiles}%3Ftime%3D${first}'`);
  assertDrawnByQgis(map, lines, wmtsUri(map, `&tileDimensions=Time%3D${first}`));
});
