import { join } from 'node:path';
import { installDebianPackages } from '../scripts/debian-packages.ts';
import {
  installPythonTools,
  type PythonTools,
  pythonToolsFolder,
} from '../test/support/tools/python-tools.ts';

/** Debian packages with the programs of peers. */
const packages = [
  'curl',
  'gdal-bin',
  'nginx',
  'postgresql-15',
  'postgresql-15-postgis-3',
  'python3-gdal',
  'python3-venv',
  'wrk',
] as const;

const pythonTools: PythonTools = {
  name: 'bench',
  packages: ['rasterio==1.4.4', 'rio-cogeo==7.0.4', 'exactextract==0.3.0'],
};
/** A Python with rasterio, rio-cogeo and exactextract. */
export const pythonWithRasterio = join(pythonToolsFolder(pythonTools), 'python');

/** The folder of the PostgreSQL programs in Debian. */
export const postgresFolder = '/usr/lib/postgresql/15/bin';

/** Installs missing peers: Debian packages, which needs root, and rasterio, rio-cogeo and exactextract from PyPI in a separate folder. */
export function installPeers(): void {
  installDebianPackages(packages);
  installPythonTools(pythonTools);
}

/** Arguments with which programs of GDAL encode a COG as the service does. */
export function cogArguments(isFloat: boolean): readonly string[] {
  const options = {
    COMPRESS: 'DEFLATE',
    LEVEL: '1',
    PREDICTOR: isFloat ? 'FLOATING_POINT' : 'NO',
    OVERVIEW_RESAMPLING: isFloat ? 'AVERAGE' : 'MODE',
    BLOCKSIZE: '512',
    NUM_THREADS: 'ALL_CPUS',
  };
  return ['-of', 'COG', ...Object.entries(options).flatMap(([key, value]) => ['-co', `${key}=${value}`])];
}
