const raster = { of: 'mapRaster' } as const;
const zonal = { stats: ['mean'] };

/** Areas and statistics by unit that a worker would count, and those that it has. */
export const ofAreas = {
  200: raster,
  206: { ...raster, headers: { range: 'bytes=0-1' } },
  304: { ...raster, headers: { 'if-none-match': '*' } },
  412: { ...raster, headers: { 'if-match': '"other"' } },
  202: { of: 'undrawable', query: '?wait=0' },
  400: { ...raster, query: '?by=village' },
  409: { of: 'pendingRaster' },
  416: { ...raster, headers: { range: 'bytes=100000000-' } },
  422: { of: 'vector' },
} as const;

/** Requests for statistics by unit, and for tables of them. */
export const zonalRequests = {
  'GET /datasets/{id}/zonal': ofAreas,
  'GET /datasets/{id}/zonal.csv': ofAreas,
  'GET /datasets/{id}/zonal.xlsx': ofAreas,
  'GET /datasets/{id}/zonal.parquet': ofAreas,
  'POST /datasets/{id}/zonal/table': {
    201: { ...raster, json: zonal },
    202: { of: 'undrawable', query: '?wait=0', json: zonal },
    409: { of: 'pendingRaster', json: zonal },
    422: { ...raster, json: { stats: ['sum'] } },
  },
  'GET /dataset-groups/{id}/zonal': { 200: { of: 'mapGroup' } },
  'PUT /dataset-groups/{id}/zonal': {
    200: { of: 'mapGroup', json: zonal },
    422: { of: 'mapGroup', json: {} },
  },
  'DELETE /dataset-groups/{id}/zonal': { 204: { of: 'undrawableGroup' } },
} as const;
