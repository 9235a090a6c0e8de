const ofTable = {
  200: { of: 'mapped' },
  202: { of: 'unmatched', query: '?wait=0' },
  304: { of: 'mapped', headers: { 'if-none-match': '*' } },
  412: { of: 'mapped', headers: { 'if-match': '"other"' } },
  422: { of: 'raster' },
} as const;

const ofTables = {
  200: { of: 'mapped' },
  206: { of: 'mapped', headers: { range: 'bytes=0-1' } },
  304: { of: 'mapped', headers: { 'if-none-match': '*' } },
  400: { of: 'mapped', query: '?shape=round' },
  409: { of: 'pendingTable' },
  412: { of: 'mapped', headers: { 'if-match': '"other"' } },
  416: { of: 'mapped', headers: { range: 'bytes=100000000-' } },
  422: { of: 'vector' },
  429: { of: 'mapped', from: 'without tiles' },
} as const;

/** Two registers: a table beside itself, or a raster that has to be counted. */
const ofRegisters = {
  200: { of: 'mapped' },
  202: { of: 'undrawable', query: '?wait=0' },
  304: { of: 'mapped', headers: { 'if-none-match': '*' } },
  400: { of: 'mapped', query: '?a_factor=0' },
  409: { of: 'pendingTable' },
  412: { of: 'mapped', headers: { 'if-match': '"other"' } },
  422: { of: 'vector' },
} as const;
const ofRegisterFiles = {
  ...ofRegisters,
  206: { of: 'mapped', headers: { range: 'bytes=0-1' } },
  416: { of: 'mapped', headers: { range: 'bytes=100000000-' } },
} as const;

/** Requests for units and for tables: their columns, files and denominators. */
export const tableRequests = {
  'GET /districts.geojson': {
    200: {},
    206: { query: '?level=region', headers: { range: 'bytes=0-1' } },
    304: { headers: { 'if-none-match': '*' } },
    400: { query: '?level=village' },
    412: { headers: { 'if-match': '"other"' } },
    416: { headers: { range: 'bytes=100000000-' } },
  },
  'GET /datasets/{id}/mapping/suggestion': {
    ...ofTable,
    400: { of: 'mapped', query: '?max_columns=0' },
    409: { of: 'pendingTable' },
  },
  'GET /datasets/{id}/mapping/match': {
    ...ofTable,
    400: { of: 'mapped', query: '?wait=61' },
    409: { of: 'table' },
  },
  'GET /datasets/{id}/observations.csv': ofTables,
  'GET /datasets/{id}/observations.xlsx': ofTables,
  'GET /datasets/{id}/observations.parquet': ofTables,
  'GET /datasets/{id}.parquet': {
    200: { of: 'mapped' },
    206: { of: 'mapped', headers: { range: 'bytes=0-1' } },
    304: { of: 'mapped', headers: { 'if-none-match': '*' } },
    400: { of: 'mapped', query: '?lang=fr' },
    404: { of: 'vector' },
    409: { of: 'pendingTable' },
    412: { of: 'mapped', headers: { 'if-match': '"other"' } },
    416: { of: 'mapped', headers: { range: 'bytes=100000000-' } },
    422: { of: 'raster' },
    429: { of: 'mapped', from: 'without tiles' },
  },
  'GET /datasets/{id}/observations': {
    200: { of: 'vector', query: '?kato_code=10' },
    206: { of: 'mapped', query: '?format=csv', headers: { range: 'bytes=0-1' } },
    304: { of: 'mapped', query: '?format=csv', headers: { 'if-none-match': '*' } },
    400: { of: 'vector', query: '?page_size=101' },
    409: { of: 'pendingTable', query: '?format=csv' },
    412: { of: 'mapped', query: '?format=parquet', headers: { 'if-match': '"other"' } },
    416: { of: 'mapped', query: '?format=csv', headers: { range: 'bytes=100000000-' } },
    422: { of: 'vector', query: '?format=parquet' },
    429: { of: 'mapped', query: '?format=csv', from: 'without tiles' },
  },
  'GET /datasets/{a}/compare/{b}': ofRegisterFiles,
  'GET /datasets/{a}/compare/{b}.csv': ofRegisterFiles,
  'GET /datasets/{a}/compare/{b}.xlsx': ofRegisterFiles,
  'GET /datasets/{a}/compare/{b}.parquet': ofRegisterFiles,
  'GET /datasets/{a}/compare/{b}/report.html': ofRegisters,
  'GET /datasets/{a}/compare/{b}/sheet.pdf': {
    ...ofRegisters,
    429: { of: 'mapped', from: 'without tiles' },
  },
  'GET /datasets/{id}/denominator': { 200: { of: 'mapped' }, 422: { of: 'vector' } },
  'PUT /datasets/{id}/denominator': {
    200: { of: 'mapped', json: { by: 'area' } },
    409: { of: 'mapped', json: { by: 'dataset', dataset_id: '{vector}' } },
    422: { of: 'mapped', json: { by: 'people' } },
  },
  'DELETE /datasets/{id}/denominator': { 204: { of: 'pendingTable' } },
} as const;
