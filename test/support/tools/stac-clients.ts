import type { PythonTools } from './python-tools.ts';

/** Python packages that read STAC catalogues and their rasters. */
export const stacClients: PythonTools = {
  name: 'stac-clients',
  packages: ['stac-api-validator==0.6.8', 'pystac-client==0.9.1', 'rasterio==1.4.4'],
};
