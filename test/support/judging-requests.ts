/** A tile far from the rasters of the tests. */
const elsewhere = '3/0/0';
const unknown = { of: 'unknown' } as const;
const spent = { from: 'without tiles' } as const;

/** What is drawn or counted of a run that has succeeded, with a query. */
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

/** Requests about the cells of a zoning, limits, conditions and moved inputs, as `status-requests.ts` has those of all operations. */
export const judgingRequests = {
  'GET /landscape/runs/{id}/balance': ofLand,
  'GET /landscape/runs/{id}/sensitivity': ofLand,
  'GET /landscape/runs/{id}/conflicts': ofLand,
  'GET /landscape/runs/{id}/stability': ofLand,
  'GET /landscape/runs/{id}/whatif/tiles/{z}/{x}/{y}.png': ofLandMap,
  'GET /landscape/runs/{id}/conflicts/tiles/{z}/{x}/{y}.png': ofLandMap,
  'GET /landscape/runs/{id}/stability/tiles/{z}/{x}/{y}.png': ofLandMap,
  // Limits of 23, and slopes below 5, are counted; those of 22 could not be.
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
} as const;
