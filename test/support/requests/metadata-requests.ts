/** Requests about metadata records and the catalogue. */
export const metadataRequests = {
  'GET /datasets/{id}/metadata': { 200: { of: 'mapped' } },
  'PUT /datasets/{id}/metadata': {
    200: { of: 'raster', json: { organisation: 'Institute' } },
    422: { of: 'raster', json: { email: 'nowhere' } },
  },
  'GET /datasets/{id}/metadata.xml': {
    200: { of: 'raster' },
    304: { of: 'raster', headers: { 'if-none-match': '*' } },
    412: { of: 'raster', headers: { 'if-match': '"other"' } },
  },
  'GET /catalog.jsonld': {
    200: {},
    304: { headers: { 'if-none-match': '*' } },
    400: { query: '?after=nowhere' },
    412: { headers: { 'if-match': '"other"' } },
  },
} as const;
