import type { PythonTools } from './python-tools.ts';

/** Reads STAC catalogues and the rasters in them. */
export const stacClients: PythonTools = {
  name: 'stac-clients',
  packages: ['stac-api-validator==0.6.8', 'pystac-client==0.9.1', 'rasterio==1.4.4'],
};
