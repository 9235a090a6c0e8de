import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installDebianPackages } from '../scripts/debian-packages.ts';

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

const pythonPackages = ['rasterio==1.4.4', 'rio-cogeo==7.0.4'] as const;
const environment = join(homedir(), `.cache/steppe/bench-${pythonPackages.join('-').replaceAll('==', '-')}`);
/** A Python that has rasterio and rio-cogeo. */
export const pythonWithRasterio = join(environment, 'bin/python');

/** Where Debian keeps the programs of PostgreSQL. */
export const postgresFolder = '/usr/lib/postgresql/15/bin';

/** Installs what is missing of the peers: packages of Debian, which needs root, and rasterio with rio-cogeo from PyPI in a folder of its own. */
export function installPeers(): void {
  installDebianPackages(packages);
  if (existsSync(pythonWithRasterio)) return;
  try {
    execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
    execFileSync(pythonWithRasterio, ['-m', 'pip', 'install', '--quiet', ...pythonPackages], {
      stdio: 'inherit',
    });
  } catch (error) {
    rmSync(environment, { recursive: true, force: true }); // half an environment must not pass for one
    throw error;
  }
}
