import { createSigner } from '../landscape/signing.ts';

/** A tile far from the rasters of the tests. */
const elsewhere = '3/0/0';
const unknown = { of: 'unknown' } as const;
const spent = { from: 'without tiles' } as const;

/** Statuses of what is drawn or counted of a succeeded run, with a query. */
function queriedStatuses(query: string) {
  const asked = { of: 'doneRun', query } as const;
  return {
    200: asked,
    304: { ...asked, headers: { 'if-none-match': '*' } },
    412: { ...asked, headers: { 'if-match': '"other"' } },
  };
}

const ofLand = {
  ...queriedStatuses(''),
  202: { of: 'uncountedRun', query: '?wait=0' },
  400: { of: 'doneRun', query: '?v1_min_s_e3=6' },
  404: { of: 'doneRun', query: '?kato=999999999' },
  409: { of: 'run' },
  422: { of: 'undrawableRun' },
} as const;

const ofLandMap = {
  ...queriedStatuses(''),
  204: { of: 'doneRun', tile: elsewhere, query: '?empty=204' },
  400: { of: 'doneRun', query: '?tie_priority=6' },
  409: { of: 'run' },
  429: { of: 'doneRun', ...spent },
} as const;

/** Signed with a GOST key, which cannot be verified; any data can therefore have it. */
const signature = new Uint8Array(createSigner('ec', 'GOST').sign(Buffer.from('x'), { isGost: true }));
const signed = { headers: { 'content-type': 'application/pkcs7-signature' } };

/** A recipe over a raster of the tests. */
const scaled = (scale: number) => ({ method: 'arithmetic', dataset_ids: ['{mapRaster}'], scale });

/** Requests for the cells of a zoning, limits, conditions, moved inputs and the watch of inputs, in the form of `status-requests.ts`. */
export const judgingRequests = {
  'GET /landscape/runs/{id}/balance': ofLand,
  'GET /landscape/runs/{id}/sensitivity': ofLand,
  'GET /landscape/runs/{id}/conflicts': ofLand,
  'GET /landscape/runs/{id}/stability': ofLand,
  'GET /landscape/runs/{id}/whatif/tiles/{z}/{x}/{y}.png': ofLandMap,
  'GET /landscape/runs/{id}/conflicts/tiles/{z}/{x}/{y}.png': ofLandMap,
  'GET /landscape/runs/{id}/stability/tiles/{z}/{x}/{y}.png': ofLandMap,
  'GET /landscape/runs/{id}/report.html': {
    ...queriedStatuses(''),
    202: { of: 'uncountedRun', query: '?wait=0' },
    400: { of: 'doneRun', query: '?lang=de' },
    409: { of: 'run' },
    429: { of: 'doneRun', ...spent },
  },
  'GET /datasets/{id}/sheet.pdf': {
    200: { of: 'mapRaster' },
    202: { of: 'mapRaster', query: '?center=68,52&wait=0' },
    304: { of: 'mapRaster', headers: { 'if-none-match': '*' } },
    400: { of: 'mapRaster', query: '?size=A0' },
    409: { of: 'pendingRaster' },
    412: { of: 'mapRaster', headers: { 'if-match': '"other"' } },
    422: { of: 'vector' },
    429: { of: 'mapRaster', ...spent },
  },
  'GET /landscape/runs/{id}/atlas.pdf': {
    ...queriedStatuses(''),
    202: { of: 'doneRun', query: '?wait=0&size=A3' },
    206: { of: 'doneRun', headers: { range: 'bytes=0-1' } },
    400: { of: 'doneRun', query: '?size=A0' },
    409: { of: 'run' },
    416: { of: 'doneRun', headers: { range: 'bytes=100000-' } },
    422: { of: 'undrawableRun' },
  },
  // The limits of sector 23 and slopes below 5 are counted; the limits of sector 22 failed.
  'GET /landscape/runs/{id}/limits': {
    ...queriedStatuses('?sector=23'),
    202: { of: 'uncountedRun', query: '?sector=21&wait=0' },
    404: { ...unknown, query: '?sector=23' },
    409: { of: 'run', query: '?sector=23' },
    422: { of: 'doneRun', query: '?sector=22' },
  },
  'GET /landscape/runs/{id}/where': {
    ...queriedStatuses('?conditions=slope<5'),
    202: { of: 'uncountedRun', query: '?conditions=slope<5&wait=0' },
    404: { ...unknown, query: '?conditions=slope<5' },
    409: { of: 'run', query: '?conditions=slope<5' },
    422: { of: 'doneRun', query: '?conditions=slope<6' },
    429: { of: 'doneRun', query: '?conditions=slope<7' },
  },
  // A raster of the first recipe is made, that of the second one is not, and too many others wait.
  'POST /landscape/slots/{code}/make': {
    200: { of: 'slot', json: scaled(2) },
    202: { of: 'slot', query: '?wait=0', json: scaled(3) },
    400: { of: 'slot', query: '?lang=de' },
    409: { of: 'slot', json: { ...scaled(2), grid: 'reference' } },
    422: { of: 'slot', json: { method: 'magic' } },
    429: { of: 'slot', json: scaled(4) },
  },
  'GET /landscape/slots/{code}/make': {
    200: { of: 'slot' },
    400: { of: 'slot', query: '?dataset_id=x' },
  },
  'GET /landscape/slots/{code}/make/values': {
    200: { of: 'slot', query: '?dataset_id={ownStyle}&attribute=a' },
    400: { of: 'slot', query: '?dataset_id=x' },
    404: { ...unknown, query: '?dataset_id={ownStyle}&attribute=a' },
    409: { of: 'slot', query: '?dataset_id={failed}&attribute=a' },
    422: { of: 'slot', query: '?dataset_id={raster}&attribute=a' },
  },
  // The polygons of the zoning are made, those of another run are not, and too many others wait.
  'POST /landscape/runs/{id}/polygons': {
    200: { of: 'doneRun', json: {} },
    202: { of: 'uncountedRun', query: '?wait=0', json: {} },
    409: { of: 'run', json: {} },
    422: { of: 'doneRun', json: { node: '01' } },
    429: { of: 'doneRun', json: { min_area_ha: 9 } },
  },
  'GET /landscape/runs/{id}/polygons': { 200: { of: 'doneRun' } },
  'GET /landscape/runs/{id}/input-sensitivity': {
    200: { of: 'doneRun' },
    202: { of: 'uncountedRun', query: '?wait=0' },
    409: { of: 'run' },
  },
  'GET /landscape/runs/{id}/limits/legend.json': {
    ...queriedStatuses('?sector=23'),
    404: { ...unknown, query: '?sector=23' },
    409: { of: 'run', query: '?sector=23' },
  },
  'GET /landscape/runs/{id}/limits/tiles/{z}/{x}/{y}.png': {
    ...queriedStatuses('?sector=23'),
    204: { of: 'doneRun', tile: elsewhere, query: '?sector=23&empty=204' },
    404: { ...unknown, query: '?sector=23' },
    409: { of: 'run', query: '?sector=23' },
    429: { of: 'doneRun', query: '?sector=23', ...spent },
  },
  'GET /landscape/runs/{id}/where/tiles/{z}/{x}/{y}.png': {
    ...queriedStatuses('?conditions=slope<5'),
    204: { of: 'doneRun', tile: elsewhere, query: '?conditions=slope<5&empty=204' },
    404: { ...unknown, query: '?conditions=slope<5' },
    409: { of: 'run', query: '?conditions=slope<5' },
    429: { of: 'doneRun', query: '?conditions=slope<5', ...spent },
  },
  'GET /landscape/runs/{id}/dossier': { 200: { of: 'doneRun' }, 409: { of: 'run' } },
  'GET /landscape/runs/{id}/dossier.zip': {
    ...queriedStatuses(''),
    202: { of: 'uncountedRun', query: '?wait=0' },
    400: { of: 'doneRun', query: '?with=all' },
    409: { of: 'run' },
    429: { of: 'doneRun', ...spent },
  },
  'GET /landscape/runs/{id}/dossier/manifest.json': { ...queriedStatuses(''), 409: { of: 'run' } },
  'GET /landscape/runs/{id}/dossier/inventory.json': {
    ...queriedStatuses(''),
    202: { of: 'uncountedRun', query: '?wait=0' },
    400: { of: 'doneRun', query: '?lang=de' },
    409: { of: 'run' },
    429: { of: 'doneRun', ...spent },
  },
  // The GET reads what an earlier request stored.
  'PUT /landscape/runs/{id}/dossier/signature': {
    200: { of: 'doneRun', ...signed, bytes: signature },
    400: { of: 'doneRun', ...signed, bytes: signature, query: '?over=all' },
    409: { of: 'run', ...signed, bytes: signature },
    413: { of: 'doneRun', ...signed, bytes: new Uint8Array(300_000) },
    422: { of: 'doneRun', ...signed, bytes: new Uint8Array(3) },
    429: { of: 'doneRun', ...signed, ...spent, bytes: signature, query: '?over=inventory' },
  },
  'GET /landscape/runs/{id}/dossier/signature': {
    ...queriedStatuses(''),
    400: { of: 'doneRun', query: '?revision=x' },
  },
  'GET /landscape/watch': { 200: {} },
  'PUT /landscape/watch': { 200: { json: { on: 'input' } }, 422: { json: { on: 'output' } } },
  'DELETE /landscape/watch': { 204: {} },
  'GET /dataset-groups/freshness': { 200: {}, 400: { query: '?state=late' } },
  'GET /dataset-groups/{id}/cadence': { 200: { of: 'styledGroup' }, 404: { of: 'unknown' } },
  'PUT /dataset-groups/{id}/cadence': {
    200: { of: 'group', json: { every: 'P1Y' } },
    422: { of: 'group', json: { every: 'P1Y6M' } },
  },
  // The parent group has a cadence; this group has none.
  'DELETE /dataset-groups/{id}/cadence': { 204: { of: 'styledGroup' }, 404: { of: 'mapGroup' } },
  'GET /landscape/runs/{id}/record': {
    200: { of: 'run' },
    304: { of: 'run', headers: { 'if-none-match': '*' } },
    412: { of: 'run', headers: { 'if-match': '"other"' } },
  },
  'PUT /landscape/runs/{id}/record': {
    200: { of: 'run', json: { name: 'New' } },
    409: { of: 'run', json: { state: 'adopted' } },
    412: { of: 'run', json: {}, headers: { 'if-match': '"other"' } },
    422: { of: 'run', json: { state: 'final' } },
  },
  'GET /landscape/runs/{id}/record/history': { 200: { of: 'run' }, 400: { of: 'run', query: '?page=0' } },
} as const;
