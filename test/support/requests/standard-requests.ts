import { featureRequests } from './feature-requests.ts';
import type { Asked } from './status-requests.ts';

const cached = { headers: { 'if-none-match': '*' } } as const;
const changed = { headers: { 'if-match': '"other"' } } as const;
const odd = { query: '?colour=red' } as const;
const ofProgram = { 200: {}, 304: cached, 400: odd, 412: changed } as const;
const nothing = { collection: 'nothing' } as const;

/** Requests of clients of STAC. */
const stacRequests = {
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

/** Requests for metadata records and the catalogue. */
const metadataRequests = {
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

const url = 'https://a.example/';

/** Requests for events and webhooks, in the form of `status-requests.ts`. */
const eventRequests = {
  'GET /events': { 200: { query: '?wait=0' }, 400: { query: '?types=none' } },
  'POST /webhooks': {
    201: { json: { url } },
    409: { json: { url }, from: 'small' },
    422: { json: { url: 'x' } },
  },
  'GET /webhooks': { 200: {}, 400: { query: '?page=0' } },
  'GET /webhooks/{id}': { 200: { of: 'webhook' } },
  'PATCH /webhooks/{id}': {
    200: { of: 'webhook', json: { description: 'x' } },
    422: { of: 'webhook', json: {} },
  },
  'POST /webhooks/{id}/secret': {
    200: { of: 'webhook', json: { keep_hours: 1 } },
    409: { of: 'testedWebhook', json: {} },
    422: { of: 'webhook', json: { keep_hours: 169 } },
  },
  'DELETE /webhooks/{id}': { 204: { of: 'doomedWebhook' } },
  'GET /webhooks/{id}/deliveries': { 200: { of: 'webhook' } },
  'POST /webhooks/{id}/test': { 201: { of: 'webhook' }, 409: { of: 'testedWebhook' } },
} as const;

/** Requests from other programs, by operation and the status that each request has. */
export const standardRequests: Readonly<Record<string, Readonly<Record<number, Asked>>>> = {
  ...eventRequests,
  ...featureRequests,
  ...metadataRequests,
  ...stacRequests,
};
