import { formRequests } from './form-requests.ts';
import { sourceRequests } from './source-requests.ts';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import { standardRequests } from './standard-requests.ts';
import { judgingRequests } from './judging-requests.ts';
import { tableRequests } from './table-requests.ts';
import { uploadRequests } from './upload-requests.ts';

const raster = { of: 'mapRaster' } as const;
const zonal = { stats: ['mean'] };

/** Areas and statistics by unit: those that are counted, and those that wait for a worker. */
const ofAreas = {
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

/** Requests for statistics by unit and for tables made from them. */
const zonalRequests = {
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

export const sld = new File(['<StyledLayerDescriptor/>'], 'style.sld');
export const collection = '{"type":"FeatureCollection","features":[]}';
const map = new File(['II*\0'], 'map.tif');
/** Resources in all the states that answers depend on, an unknown id, and a malformed one. */
export type Id =
  | 'archive'
  | 'stac'
  | 'stacImport'
  | 'reference'
  | 'category'
  | 'emptyCategory'
  | 'group'
  | 'emptyGroup'
  | 'styledGroup'
  | 'mapGroup'
  | 'undrawableGroup'
  | 'raster'
  | 'mapRaster'
  | 'undrawable'
  | 'vector'
  | 'ownStyle'
  | 'table'
  | 'mapped'
  | 'unmatched'
  | 'pendingRaster'
  | 'pendingTable'
  | 'doomed'
  | 'adopted'
  | 'failed'
  | 'slot'
  | 'run'
  | 'doneRun'
  | 'undrawableRun'
  | 'uncountedRun'
  | 'unknown'
  | 'upload'
  | 'expiredUpload'
  | 'doomedUpload'
  | 'wrongUpload'
  | 'webhook'
  | 'doomedWebhook'
  | 'testedWebhook'
  | 'formTemplate'
  | 'wantedTemplate'
  | 'brokenTemplate'
  | 'newTemplate'
  | 'doomedTemplate'
  | 'filledForm'
  | 'fullGroup'
  | 'sourceFile'
  | 'wantedSource'
  | 'brokenSource'
  | 'newSource'
  | 'doomedSource'
  | 'malformed';
/** The service that receives the request: a complete one, or one that lacks something. */
export type Service =
  | 'whole'
  | 'small'
  | 'broken'
  | 'without database'
  | 'without tables'
  | 'without store'
  | 'without tiles';

/** A request; a placeholder such as `{category}` anywhere in it stands for the id of that resource. */
export interface Asked {
  readonly of?: Id;
  /** Zoom, column and row in the path of a tile; by default `0/0/0`. */
  readonly tile?: string;
  /** Code of a collection in the path; by default that of a group with datasets. */
  readonly collection?: string;
  /** KATO code in the path; by default that of a unit. */
  readonly kato?: string;
  readonly query?: string;
  readonly json?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly form?: Readonly<Record<string, string | File>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: Service;
}

const input = { code: 'new', name: 'New' };
const put = { category_id: '{category}', name: 'New', description: '', unit: '' };
const mapping = { kato_column: 'kato', year_columns: [{ column: '2020', start_date: '2020-01-01' }] };
const form = { file_type: 'raster', category_id: '{category}', file: map };
export const malformedJson = { headers: { 'content-type': 'application/json' } };
export const tooMuch = { json: { name: 'x'.repeat(100) }, from: 'small' } as const;
const noPage = { query: '?page=0' };

const place = '?lon=68.5&lat=52';
const allPinned = Object.fromEntries(leaves.map(({ group }) => [group, '{mapRaster}']));

/** A polygon whose areas are counted; those of other polygons are not. */
export const countedPolygon = {
  type: 'Polygon',
  coordinates: [
    [
      [67, 52],
      [68, 52],
      [68, 53],
      [67, 52],
    ],
  ],
};

const takenKey = { 'idempotency-key': '"taken"' };

export const malformed = { of: 'malformed' } as const;
export const unknown = { of: 'unknown' } as const;

/** Conditional and range requests for the file of a resource. */
function fileStatuses(of: Id) {
  return {
    200: { of },
    206: { of, headers: { range: 'bytes=0-1' } },
    304: { of, headers: { 'if-none-match': '*' } },
    412: { of, headers: { 'if-match': '"other"' } },
    416: { of, headers: { range: 'bytes=100000-' } },
  };
}

/** A tile without any pixel of the raster. */
const elsewhere = '3/0/0';
const spent = { from: 'without tiles' } as const;

/** Conditional requests for what is drawn of a resource. */
function drawnStatuses(of: Id) {
  return {
    200: { of },
    304: { of, headers: { 'if-none-match': '*' } },
    412: { of, headers: { 'if-match': '"other"' } },
  };
}

/** Conditional requests and refusals for what is drawn of a dataset. */
const ofRaster = {
  ...drawnStatuses('mapRaster'),
  409: { of: 'pendingRaster' },
  422: { of: 'undrawable' },
} as const;
const ofGroup = { ...drawnStatuses('mapGroup'), 422: { of: 'undrawableGroup' } } as const;
const tileByKeys = { query: '?REQUEST=GetTile&TileMatrix=0&TileCol=0&TileRow=0' } as const;
/** Conditional requests for a complete resource. */
const ofWhole = {
  200: {},
  304: { headers: { 'if-none-match': '*' } },
  412: { headers: { 'if-match': '"other"' } },
} as const;

/** Requests by operation and status, except those of `usual`, which apply to all operations. */
export const requests: Readonly<Record<string, Readonly<Record<number, Asked>>>> = {
  'GET /healthz': { 200: {} },
  'GET /readyz': { 200: {}, 503: { from: 'without store' } },
  'GET /capabilities': { 200: {} },
  'GET /categories': { 200: {}, 400: { query: '?parent_id=x' } },
  'POST /categories': {
    201: { json: input },
    409: { json: { ...input, code: 'taken' } },
    422: { json: {} },
  },
  'GET /categories/{id}': { 200: { of: 'category' } },
  'PUT /categories/{id}': {
    200: { of: 'category', json: { ...input, code: 'ignored' } },
    409: { of: 'emptyCategory', json: { ...input, code: 'taken' } },
    422: { of: 'category', json: { ...input, parent_id: '{category}' } },
  },
  'DELETE /categories/{id}': {
    204: { of: 'emptyCategory' },
    409: { of: 'category' },
  },
  'GET /dataset-groups': { 200: { query: '?code=taken' }, 400: noPage },
  'POST /dataset-groups': {
    201: { json: input },
    409: { json: { ...input, code: 'taken' } },
    422: { json: {} },
  },
  'GET /dataset-groups/{id}': { 200: { of: 'group' } },
  'PUT /dataset-groups/{id}': {
    200: { of: 'styledGroup', json: { ...input, code: 'renamed' } },
    409: { of: 'styledGroup', json: { ...input, code: 'taken' } },
    422: { of: 'group', json: {} },
  },
  'DELETE /dataset-groups/{id}': {
    204: { of: 'emptyGroup' },
    409: { of: 'group' },
  },
  'GET /dataset-groups/{id}/latest': {
    200: { of: 'group', query: '?status=ready&file_type=raster' },
    400: { of: 'group', query: '?status=READY' },
    404: { of: 'styledGroup' },
  },
  'POST /dataset-groups/{id}/sld': {
    200: { of: 'styledGroup', form: { file: sld } },
    400: { of: 'styledGroup', json: {} },
    422: { of: 'styledGroup', form: { file: map } },
  },
  'GET /dataset-groups/{id}/sld': { ...fileStatuses('styledGroup'), 404: { of: 'group' } },
  'GET /dataset-groups/{id}/sld/report': { 200: { of: 'styledGroup' }, 404: { of: 'group' } },
  ...formRequests(fileStatuses),
  ...sourceRequests,
  'GET /datasets': { 200: { query: '?status=ready&page_size=1' }, 400: { query: '?after=AQ' } },
  'POST /datasets': {
    201: { form },
    400: { json: {} },
    409: { form, headers: takenKey },
    413: { form, from: 'small' },
    422: { form: { ...form, file_type: 'vector' } },
  },
  ...uploadRequests,
  'GET /datasets/{id}': { 200: { of: 'raster' } },
  'PUT /datasets/{id}': {
    200: { of: 'raster', json: put },
    422: { of: 'raster', json: { ...put, dg_id: '{unknown}' } },
  },
  'PATCH /datasets/{id}': {
    200: { of: 'vector', json: { name: 'New' } },
    422: { of: 'vector', json: {} },
  },
  'DELETE /datasets/{id}': { 204: { of: 'doomed' }, 409: { of: 'adopted' } },
  'GET /datasets/{id}/lineage': { 200: { of: 'adopted' } },
  'GET /datasets/{id}.geojson': {
    ...fileStatuses('vector'),
    409: { of: 'pendingTable' },
    422: { of: 'pendingRaster' },
  },
  'GET /datasets/{id}/series': { ...fileStatuses('mapped'), 409: { of: 'table' }, 422: { of: 'vector' } },
  'GET /datasets/{id}/areas': ofAreas,
  'GET /datasets/{id}/areas.csv': ofAreas,
  'GET /datasets/{id}/areas.xlsx': ofAreas,
  'GET /datasets/{id}/areas.parquet': ofAreas,
  'POST /landscape/runs/{id}/areas': {
    200: { of: 'doneRun', json: countedPolygon },
    202: {
      of: 'doneRun',
      query: '?wait=0',
      json: {
        ...countedPolygon,
        coordinates: [
          [
            [68, 52],
            [69, 52],
            [69, 53],
            [68, 52],
          ],
        ],
      },
    },
    400: { of: 'doneRun', ...malformedJson },
    404: { of: 'unknown', json: countedPolygon },
    409: { of: 'run', json: countedPolygon },
    413: { of: 'unknown', ...tooMuch },
    422: { of: 'doneRun', json: { type: 'Point' } },
    429: { of: 'doneRun', json: countedPolygon, from: 'without tiles' },
  },
  'GET /datasets/{id}/statistics': {
    ...drawnStatuses('raster'),
    202: { of: 'undrawable', query: '?wait=0' },
    404: { of: 'undrawable' },
    409: { of: 'pendingRaster' },
    422: { of: 'vector' },
  },
  'GET /datasets/{id}.cog': {
    ...fileStatuses('raster'),
    409: { of: 'pendingRaster' },
    422: { of: 'pendingTable' },
  },
  'GET /datasets/{id}/status': {
    200: { of: 'pendingRaster', query: '?current=ready' },
    400: { of: 'pendingRaster', query: '?wait=61' },
  },
  'GET /datasets/{id}/download': { ...fileStatuses('raster') },
  'POST /datasets/{id}/sld': {
    200: { of: 'vector', form: { file: sld } },
    400: { of: 'vector', json: {} },
    422: { of: 'vector', form: { file: map } },
  },
  'DELETE /datasets/{id}/sld/own': { 200: { of: 'ownStyle' }, 404: { of: 'raster' } },
  'GET /datasets/{id}/sld': { ...fileStatuses('vector'), 404: { of: 'raster' } },
  'GET /datasets/{id}/sld/report': { 200: { of: 'vector' }, 404: { of: 'raster' } },
  'GET /datasets/{id}/report': { 200: { of: 'failed' }, 404: { of: 'raster' } },
  'POST /datasets/references': {
    201: { json: { address: '{archive}', category_id: '{category}' } },
    409: { json: {}, headers: takenKey },
    422: { json: {} },
  },
  'POST /datasets/{id}/copy': { 200: { of: 'reference' }, 409: { of: 'raster' } },
  'POST /datasets/{id}/retry': {
    200: { of: 'failed' },
    409: { of: 'raster' },
  },
  'POST /datasets/{id}/mapping': {
    200: { of: 'table', json: mapping },
    409: { of: 'pendingTable', json: mapping },
    422: { of: 'vector', json: mapping },
  },
  'GET /districts': { 200: {}, 400: { query: '?at=2020' } },
  'GET /districts/{kato}/history': { 200: {}, 400: { kato: 'x' }, 404: { kato: '9' } },
  'POST /districts/match': { 200: { json: { rows: [{ name: 'Восток' }] } }, 422: { json: { rows: [] } } },
  'GET /datasets/{id}/tiles/{z}/{x}/{y}.png': {
    ...ofRaster,
    204: { of: 'mapRaster', tile: elsewhere, query: '?empty=204' },
    429: { of: 'mapRaster', ...spent },
  },
  'GET /dataset-groups/{id}/tiles/{z}/{x}/{y}.png': {
    ...ofGroup,
    204: { of: 'mapGroup', tile: elsewhere, query: '?empty=204' },
    429: { of: 'mapGroup', ...spent },
  },
  'GET /datasets/{id}/tiles/{z}/{x}/{y}.mvt': {
    ...drawnStatuses('vector'),
    409: { of: 'pendingTable' },
    422: { of: 'mapRaster' },
    429: { of: 'vector', ...spent },
  },
  'GET /datasets/{id}/tilejson.json': ofRaster,
  'GET /dataset-groups/{id}/tilejson.json': ofGroup,
  'GET /datasets/{id}/style.json': ofRaster,
  'GET /dataset-groups/{id}/style.json': ofGroup,
  'GET /datasets/{id}/wmts': { ...ofRaster, 302: { of: 'mapRaster', ...tileByKeys } },
  'GET /dataset-groups/{id}/wmts': { ...ofGroup, 302: { of: 'mapGroup', ...tileByKeys } },
  'GET /datasets/{id}/legend.png': ofRaster,
  'GET /dataset-groups/{id}/legend.png': ofGroup,
  'GET /datasets/{id}/legend.json': ofRaster,
  'GET /dataset-groups/{id}/legend.json': ofGroup,
  'GET /datasets/{id}/thumbnail.png': { ...ofRaster, 429: { of: 'mapRaster', ...spent } },
  'GET /districts/tiles/{z}/{x}/{y}.mvt': {
    ...ofWhole,
    400: { tile: '23/0/0' },
    404: { tile: '0/1/0' },
    429: spent,
  },
  'GET /districts/tilejson.json': ofWhole,
  'GET /landscape/graph': { ...ofWhole, 400: { query: '?lang=de' } },
  'GET /landscape/slots': { 200: {}, 404: { from: 'small' } },
  'POST /landscape/slots/{code}': {
    201: { of: 'slot', form: { file: map } },
    400: { of: 'slot', json: {} },
    404: { ...unknown, form: { file: map } },
    409: { of: 'slot', form: { file: map }, headers: takenKey },
    413: { ...unknown, form: { file: map }, from: 'small' },
    422: { of: 'slot', form: { file: sld } },
  },
  'GET /landscape/runs': { 200: { query: '?page_size=1' }, 400: noPage },
  'POST /landscape/runs': {
    200: { query: '?dry_run=true' },
    202: { json: { params: { window_size: 256 } } },
    400: { query: '?dry_run=1' },
    409: { headers: takenKey },
    422: { json: { from_stage: 4 } },
  },
  'GET /landscape/runs/{id}': { 200: { of: 'run' } },
  'GET /landscape/runs/{id}/gaps': {
    200: { of: 'doneRun' },
    400: { of: 'doneRun', query: '?lon=1' },
    404: { of: 'undrawableRun' },
    409: { of: 'run' },
    422: { of: 'undrawableRun', query: place },
    429: { of: 'doneRun', query: place, from: 'without tiles' },
  },
  'GET /landscape/runs/{id}/explain': {
    200: { of: 'doneRun', query: place },
    400: { of: 'doneRun', query: '?lon=1' },
    404: { of: 'unknown', query: place },
    409: { of: 'run', query: place },
    422: { of: 'undrawableRun', query: place },
    429: { of: 'doneRun', query: place, from: 'without tiles' },
  },
  // Zones of permitted use do not depend on the balance, so that no worker has to make a layer.
  'GET /landscape/runs/{a}/compare/{b}': {
    200: { of: 'doneRun', query: '?node=33' },
    304: { of: 'doneRun', query: '?node=33', headers: { 'if-none-match': '*' } },
    412: { of: 'doneRun', query: '?node=33', headers: { 'if-match': '"other"' } },
    202: { of: 'uncountedRun', query: '?wait=0' },
    409: { of: 'run' },
    422: { of: 'doneRun', query: '?node=01' },
  },
  'GET /landscape/runs/{a}/compare/{b}/tiles/{z}/{x}/{y}.png': {
    ...drawnStatuses('doneRun'),
    409: { of: 'run' },
    422: { of: 'undrawableRun' },
    429: { of: 'doneRun', ...spent },
  },
  'GET /landscape/runs/{a}/compare/{b}/legend.json': {
    ...drawnStatuses('doneRun'),
    409: { of: 'run' },
    422: { of: 'doneRun', query: '?node=01' },
  },
  'GET /landscape/runs/{id}/layers/{layer}.cog': {
    ...fileStatuses('doneRun'),
    416: { of: 'doneRun', headers: { range: 'bytes=99999999-' } },
    202: { of: 'uncountedRun', query: '?wait=0' },
    400: { of: 'doneRun', query: '?wait=61' },
    409: { of: 'run' },
  },
  ...judgingRequests,
  ...zonalRequests,
  ...tableRequests,
  ...standardRequests,
  'POST /landscape/gaps': {
    200: { json: { overrides: allPinned } },
    400: { json: [] },
    409: { json: {} },
    413: tooMuch,
    422: { json: { overrides: { 'landscape-in-dem': 'x' } } },
    429: { json: { overrides: allPinned }, from: 'without tiles' },
  },
  'POST /landscape/plans': { 200: {}, 400: { json: [] }, 422: { json: { from_stage: 4 } } },
  'GET /landscape/runs/{id}/plan': { 200: { of: 'run' } },
  // The first request ends the run, and the second one finds it ended.
  'DELETE /landscape/runs/{id}': { 204: { of: 'run' }, 409: { of: 'run' } },
  'GET /landscape/results': { 200: {}, 404: { from: 'small' } },
};
