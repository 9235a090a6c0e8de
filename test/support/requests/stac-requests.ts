const cached = { headers: { 'if-none-match': '*' } } as const;
const changed = { headers: { 'if-match': '"other"' } } as const;
const odd = { query: '?colour=red' } as const;
const ofProgram = { 200: {}, 304: cached, 400: odd, 412: changed } as const;
const nothing = { collection: 'nothing' } as const;

/** Requests of clients of STAC. */
export const stacRequests = {
  'GET /stac': ofProgram,
  'GET /stac/api': ofProgram,
  'GET /stac/conformance': ofProgram,
  'GET /stac/queryables': ofProgram,
  'GET /stac/collections': { ...ofProgram, 400: { query: '?limit=0' } },
  'GET /stac/collections/{collectionId}': { ...ofProgram, 404: nothing },
  'GET /stac/collections/{collectionId}/queryables': { ...ofProgram, 404: nothing },
  'GET /stac/collections/{collectionId}/items': {
    ...ofProgram,
    200: { query: '?bbox=60,45,75,55' },
    400: { query: '?bbox=1' },
    404: nothing,
  },
  'GET /stac/collections/{collectionId}/items/{itemId}': {
    200: { of: 'ownStyle' },
    304: { of: 'ownStyle', ...cached },
    400: { of: 'ownStyle', ...odd },
    412: { of: 'ownStyle', ...changed },
    404: { of: 'unknown' },
  },
  'GET /stac/search': { ...ofProgram, 200: { query: '?limit=5' }, 400: { query: '?datetime=2024' } },
  'POST /stac/search': { 200: { json: { limit: 5 } }, 400: { json: { bbox: [1] } } },
} as const;
