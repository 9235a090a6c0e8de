import { fileURLToPath } from 'node:url';

/** Independent readers and writers of the formats from which rasters are made. */
export const sourcePackages = [
  'numpy==2.4.6',
  'xarray==2026.9.0',
  'netCDF4==1.7.5.1.post1',
  'cftime==1.6.6.1',
  'h5py==3.16.0',
  'eccodes==2.50.0',
  'pyhdf==0.11.7',
  'rasterio==1.4.4',
  'pyproj==3.7.2',
] as const;

/** Program that writes the files, and what other programs read in them. */
export const makeFiles = fileURLToPath(new URL('make-files.py', import.meta.url));
