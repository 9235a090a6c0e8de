import { join } from 'node:path';
import { installDebianPackages } from '../scripts/debian-packages.ts';
import { installPythonTools, type PythonTools, pythonToolsFolder } from '../test/support/python-tools.ts';

/** Packages of Debian with the programs that the service is compared with. */
const packages = [
  'curl',
  'gdal-bin',
  'nginx',
  'postgresql-15',
  'postgresql-15-postgis-3',
  'python3-venv',
  'wrk',
] as const;

const pythonTools: PythonTools = {
  name: 'bench',
  packages: ['rasterio==1.4.4', 'rio-cogeo==7.0.4', 'exactextract==0.3.0'],
};
/** A Python that has rasterio, rio-cogeo and exactextract. */
export const pythonWithRasterio = join(pythonToolsFolder(pythonTools), 'python');

/** Where Debian keeps the programs of PostgreSQL. */
export const postgresFolder = '/usr/lib/postgresql/15/bin';

/** Installs what is missing of the peers: packages of Debian, which needs root, and rasterio with rio-cogeo, and exactextract, from PyPI in a folder of its own. */
export function installPeers(): void {
  installDebianPackages(packages);
  installPythonTools(pythonTools);
}
