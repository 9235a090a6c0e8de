import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostileZip, type ZipEntry } from '../../support/hostile/hostile-zip.ts';
import { shapefileOf } from '../../support/geo/shapefiles.ts';
import {
  attacksBy,
  slipName,
  systemWithGrid,
  vectorPlaces,
  vectorVrt,
  type Attack,
  type OuterTargets,
  type Targets,
} from './attack.ts';

const symbolicLink = 0o120777;

/** Archives. Those that become ready contain the point at 70° E, 50° N from `shapefileOf` and `onePoint`. */
export function attackArchives(targets: Targets): readonly Attack[] {
  const { canaryCsv, storedTable, urls, program } = targets;
  const vrt = vectorVrt(vectorPlaces(targets));
  const parts = shapefileOf({ points: [[70, 50]], texts: [Buffer.from('harmless')] });
  const shapefile: readonly ZipEntry[] = Object.entries(parts).map(([part, bytes]) => ({
    name: `a.${part}`,
    bytes,
  }));
  const grid = systemWithGrid(canaryCsv);
  const by = attacksBy('archive', 'vector', 'a.zip');
  const attack = (name: string, entries: readonly ZipEntry[], end?: Attack['end']): Attack =>
    by(name, Buffer.from(hostileZip(entries)), end);
  const beside = (name: string, ...entries: readonly (readonly [name: string, bytes: string])[]): Attack =>
    attack(name, [...shapefile, ...entries.map(([member, bytes]) => ({ name: member, bytes }))]);
  const slips = (...names: readonly string[]): readonly ZipEntry[] =>
    names.map((name) => ({ name, bytes: 'a file that must not be written' }));

  return [
    beside(
      'virtual files beside the layer',
      ...['layer.vrt', 'a.vrt', 'input.vrt'].map((name) => [name, vrt] as const),
    ),
    attack(
      'a virtual file as .shp',
      shapefile.map((entry) => (entry.name === 'a.shp' ? { ...entry, bytes: vrt } : entry)),
      'failed',
    ),
    attack('a virtual file as .geojson', [{ name: 'a.geojson', bytes: vrt }], 'failed'),
    attack('a virtual file as .gpkg', [{ name: 'a.gpkg', bytes: vrt }], 'failed'),
    // The point cannot be located without the grid.
    { ...beside('a grid elsewhere in the .prj', ['a.prj', grid]), end: 'failed' },
    beside(
      'entities in the metadata',
      ['a.shp.xml', `<!DOCTYPE m [<!ENTITY a SYSTEM "file://${canaryCsv}">]><metadata>&a;</metadata>`],
      ['a.dbf.xml', `<!DOCTYPE m SYSTEM "${urls[0]}/m.dtd"><m/>`],
    ),
    beside(
      'sidecars and settings',
      ...['aux.xml', 'shp.aux.xml', 'ovr', 'shp.ovr', 'msk', 'qix', 'idm', 'ind', 'sbn', 'qpj'].map(
        (extension) => [`a.${extension}`, vrt] as const,
      ),
      ['input.shp.aux.xml', vrt],
      ['gdalrc', settings(targets)],
      ['.gdal/gdalrc', settings(targets)],
      ['.netrc', netrc(targets)],
      ['proj.ini', `network = on\ncdn_endpoint = ${urls[0]}\n`],
      ['package.json', '{"type":"commonjs"}'],
      ['NODE_OPTIONS', `--require ${canaryCsv}`],
    ),
    attack('names that lead out', [
      ...shapefile,
      ...slips(
        `../${slipName}.txt`,
        `../../${slipName}.txt`,
        `/${slipName}.txt`,
        `..\\..\\${slipName}.txt`,
        `C:\\${slipName}.txt`,
        join(tmpdir(), `${slipName}.txt`),
        `../../../..${program}`,
        `${slipName}.txt\0.shp.bak`,
      ),
    ]),
    attack(
      'a layer whose name leads out',
      shapefile.map((entry) => ({ ...entry, name: `../../../..${program}/../${String(entry.name)}` })),
    ),
    attack(
      'a layer whose name is a place in the network',
      shapefile.map((entry) => ({ ...entry, name: `/vsicurl/${urls[0]}/${String(entry.name)}` })),
    ),
    attack(
      'a link',
      [...shapefile, { name: 'link', bytes: canaryCsv, says: { unixMode: symbolicLink } }],
      'failed',
    ),
    attack(
      'a layer that is a link',
      [{ name: 'a.geojson', bytes: storedTable, says: { unixMode: symbolicLink } }],
      'failed',
    ),
  ];
}

/** Settings that GDAL would read if they were in its home folder. */
export function settings({ urls }: OuterTargets): string {
  return `[configoptions]\nGDAL_HTTP_PROXY=${urls[0]}\nCPL_DEBUG=ON\nOGR_SKIP=GeoJSON\nAWS_S3_ENDPOINT=${urls[0]}\nPROJ_NETWORK=ON\n`;
}

export function netrc({ urls }: OuterTargets): string {
  return urls.map((url) => `machine ${new URL(url).hostname} login canary password canary\n`).join('');
}
