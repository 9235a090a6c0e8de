import type { Asked } from './status-requests.ts';

const fgb = { of: 'ownStyle' } as const;
const known = { headers: { 'if-none-match': '*' } };
const changed = { headers: { 'if-match': '"other"' } };
const other = { query: '?other=1' };
const page = { 200: {}, 304: known, 400: other, 412: changed } as const;
const collection = { ...page, 404: { collection: 'nothing' } } as const;

const tilesets = {
  vector: { ...collection, 409: { collection: '{pendingTable}' }, 422: { collection: '{mapRaster}' } },
  map: {
    200: { collection: '{mapRaster}' },
    304: { collection: '{mapRaster}', ...known },
    400: { collection: '{mapRaster}', ...other },
    404: { collection: 'districts' },
    409: { collection: '{pendingRaster}' },
    412: { collection: '{mapRaster}', ...changed },
    422: { collection: '{undrawable}' },
  },
} as const;
const spent = { from: 'without tiles' } as const;

/** Requests for the features of vectors and for the OGC APIs, by operation and the status that each request has. */
export const featureRequests: Readonly<Record<string, Readonly<Record<number, Asked>>>> = {
  'GET /datasets/{id}.fgb': {
    200: fgb,
    206: { ...fgb, headers: { range: 'bytes=0-1' } },
    304: { ...fgb, ...known },
    404: { of: 'vector' },
    409: { of: 'failed' },
    412: { ...fgb, headers: { 'if-match': '"other"' } },
    416: { ...fgb, headers: { range: 'bytes=100000-' } },
    422: { of: 'pendingRaster' },
  },
  'GET /datasets/{id}.gpkg': {
    200: fgb,
    206: { ...fgb, headers: { range: 'bytes=0-1' } },
    304: { ...fgb, ...known },
    404: { of: 'vector' },
    409: { of: 'failed' },
    412: { ...fgb, headers: { 'if-match': '"other"' } },
    416: { ...fgb, headers: { range: 'bytes=100000000-' } },
    422: { of: 'pendingRaster' },
    429: { ...fgb, from: 'without tiles' },
  },
  'GET /ogc': page,
  'GET /ogc/api': page,
  'GET /ogc/conformance': page,
  'GET /ogc/collections': { ...page, 400: { query: '?token=none' } },
  'GET /ogc/collections/{collectionId}': collection,
  'GET /ogc/collections/{collectionId}/queryables': collection,
  'GET /ogc/collections/{collectionId}/items': collection,
  'GET /ogc/collections/{collectionId}/items/{featureId}': collection,
  'GET /ogc/tileMatrixSets': page,
  'GET /ogc/tileMatrixSets/WebMercatorQuad': page,
  'GET /ogc/collections/{collectionId}/tiles': tilesets.vector,
  'GET /ogc/collections/{collectionId}/tiles/WebMercatorQuad': tilesets.vector,
  'GET /ogc/collections/{collectionId}/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}': {
    ...tilesets.vector,
    400: { tile: '0/0/-1' },
    404: { tile: '0/0/1' },
    429: spent,
  },
  'GET /ogc/collections/{collectionId}/map/tiles': tilesets.map,
  'GET /ogc/collections/{collectionId}/map/tiles/WebMercatorQuad': tilesets.map,
  'GET /ogc/collections/{collectionId}/map/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}': {
    ...tilesets.map,
    404: { collection: '{mapRaster}', tile: '3/7/0' },
    429: { collection: '{mapRaster}', ...spent },
  },
};

/** Operations that depend on nothing but the program, so that they work without the database. */
const ofProgram = [
  '/ogc',
  '/ogc/conformance',
  '/ogc/api',
  '/ogc/tileMatrixSets',
  '/ogc/tileMatrixSets/WebMercatorQuad',
];

/** Returns whether a status is described for other programs although it cannot occur here. */
export function isOnlyDescribed(row: string): boolean {
  const [, path = '', status = ''] = row.split(' ');
  // A look at STAC items reads no table that could be missing.
  if (path === '/datasets/references/stac/look') return status === '500';
  if (path !== '/ogc' && !path.startsWith('/ogc/')) return false;
  if (['401', '403'].includes(status)) return true;
  return ofProgram.includes(path) && (status === '500' || (path === '/ogc/api' && status === '503'));
}

/** Failures of operations about the program; undefined for other operations. */
export function failuresOfProgram(path: string): readonly (readonly [number, Asked])[] | undefined {
  if (!ofProgram.includes(path)) return undefined;
  return path === '/ogc/api' ? [] : [[503, { from: 'without tables' }]];
}
