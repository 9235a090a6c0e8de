import { metadataOf, octets, tus } from '../http/tus.ts';

const toSlot = { filename: 'a.tif', slot: 'landscape-in-dem' };

/** Headers that create an upload of this many bytes. */
function start(length: number, values: Readonly<Record<string, string>>) {
  return { ...tus, 'upload-length': String(length), 'upload-metadata': metadataOf(values) };
}

/** Headers that continue an upload after this many bytes. */
const goOn = (offset: number) => ({ ...octets, 'upload-offset': String(offset) });
const noDigest = { 'upload-checksum': 'sha1 AAAA' };
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

/** Requests for uploads in parts, by operation and the status that each request has. */
export const uploadRequests = {
  'POST /uploads': {
    201: { headers: start(64, toSlot) },
    400: { headers: tus },
    404: { headers: start(64, { ...toSlot, slot: 'none' }) },
    412: {},
    413: { headers: start(9e14, toSlot) },
    415: { headers: start(64, toSlot), bytes: bytes('II*') },
    422: { headers: start(64, {}) },
    460: { headers: { ...start(64, toSlot), ...octets, ...noDigest }, bytes: bytes('II*') },
  },
  'PATCH /uploads/{id}': {
    204: { of: 'upload', headers: goOn(2), bytes: bytes('') },
    400: { of: 'malformed', headers: goOn(2) },
    404: { of: 'unknown', headers: goOn(2) },
    409: { of: 'upload', headers: goOn(1), bytes: bytes('x') },
    410: { of: 'expiredUpload', headers: goOn(2), bytes: bytes('x') },
    412: { of: 'upload' },
    413: { of: 'upload', headers: goOn(2), bytes: bytes('x'.repeat(64)) },
    415: { of: 'upload', headers: { ...tus, 'upload-offset': '2' }, bytes: bytes('x') },
    422: { of: 'wrongUpload', headers: goOn(0), bytes: bytes('not a map') },
    460: { of: 'upload', headers: { ...goOn(2), ...noDigest }, bytes: bytes('x') },
  },
  'GET /uploads/{id}': {
    200: { of: 'upload' },
    410: { of: 'expiredUpload' },
    412: { of: 'upload', headers: { 'tus-resumable': '0.2.2' } },
  },
  'DELETE /uploads/{id}': {
    204: { of: 'doomedUpload', headers: tus },
    400: { of: 'malformed', headers: tus },
    404: { of: 'unknown', headers: tus },
    412: { of: 'upload' },
  },
} as const;
