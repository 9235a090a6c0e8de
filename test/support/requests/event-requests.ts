const url = 'https://a.example/';

/** Requests about events and webhooks, as `status-requests.ts` has those of all operations. */
export const eventRequests = {
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
