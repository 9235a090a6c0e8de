import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { type Dataset, partsOf, settle } from '../support/datasets.ts';
import { zipFileOf } from '../support/shapefile.ts';

const geojson = '{"type":"FeatureCollection","features":[]}';
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const filled = (head: Buffer): Buffer => Buffer.concat([head, Buffer.alloc(200)]);

/** First bytes of files that people send under the wrong name, and what a sentence must call them. */
const kinds = [
  ['raster', 'map.tif', filled(bytes([0x89], 'PNG\r\n', [0x1a], '\n')), /PNG/],
  ['raster', 'map.tif', filled(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF')), /JPEG/],
  ['raster', 'map.tif', filled(bytes('CDF', [1])), /NetCDF/],
  ['raster', 'map.tif', filled(bytes([0x89], 'HDF\r\n', [0x1a], '\n')), /HDF5|NetCDF/],
  ['raster', 'map.tif', filled(bytes([0, 0, 0, 12], 'jP  \r\n', [0x87], '\n')), /JPEG 2000/],
  ['raster', 'map.tif', filled(bytes('%PDF-1.7\n')), /PDF/],
  ['raster', 'map.tif', Buffer.from('<!DOCTYPE html><html><body>Sign in</body></html>'), /HTML/],
  ['raster', 'map.tif', gzipSync('II*\0 a raster'), /gzip/i],
  ['raster', 'map.tif', filled(bytes('GIF89a')), /GIF/],
  ['vector', 'layer.geojson', gzipSync(geojson), /gzip/i],
  ['vector', 'layer.geojson', Buffer.from('\n<html><head><title>502</title></head></html>'), /HTML/],
  ['vector', 'layer.geojson', Buffer.from(`\ufeff${geojson}`, 'utf16le'), /UTF-16/],
  ['vector', 'layer.geojson', Buffer.from(`\ufeff${geojson}`, 'utf16le').swap16(), /UTF-16/],
  ['vector', 'layer.geojson', Buffer.from(await zipFileOf({ 'a.geojson': geojson }).arrayBuffer()), /ZIP/i],
  [
    'vector',
    'layer.geojson',
    Buffer.from('<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"/>'),
    /KML|XML/,
  ],
  ['vector', 'layer.geojson', filled(bytes('SQLite format 3', [0])), /GeoPackage|SQLite/],
  ['vector', 'layer.geojson', filled(bytes('II*', [0])), /TIFF/],
  ['vector', 'layer.geojson', Buffer.from('[{"type":"Feature"}]'), /JSON/],
  ['vector', 'layer.gpkg', filled(bytes('PK', [3, 4])), /ZIP/i],
  ['vector', 'layer.gpkg', Buffer.from(geojson), /JSON/],
  ['vector', 'layer.gpkg', filled(bytes('%PDF-1.4\n')), /PDF/],
  ['vector', 'layer.zip', filled(bytes('Rar!', [0x1a, 7, 0])), /RAR/i],
  ['vector', 'layer.zip', filled(bytes('7z', [0xbc, 0xaf, 0x27, 0x1c])), /7z|7-Zip/i],
  ['vector_with_kato', 'table.geojson', Buffer.from(await workbook().arrayBuffer()), /Excel|\.?xlsx/i],
  ['vector_with_kato', 'table.zip', Buffer.from(geojson), /JSON/],
] as const;

/** What an Excel file begins with. */
function workbook(): File {
  return zipFileOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': '<x/>',
    'xl/workbook.xml': '<workbook/>',
  });
}

for (const [file_type, name, content, called] of kinds) {
  claim(
    ['D9 first bytes'],
    `a ${name} of the type ${file_type} that is really ${called.source} is called so, with the way out`,
    async (client) => {
      const parts = await partsOf(client, new File([Uint8Array.from(content)], name), { file_type });
      const sentences = new Map<string, string>();
      for (const language of ['en', 'ru', 'kk']) {
        const headers = { 'accept-language': language };
        const { file = '' } = await client.invalid(['file'], 'POST', '/datasets', { parts, headers });
        assert.match(file, called, language);
        sentences.set(language, file);
      }
      assert.equal(new Set(sentences.values()).size, 3, [...sentences.values()].join('\n'));
      assert.match(
        sentences.get('en') ?? '',
        /upload|export|download|save|convert|unpack|send|give it the extension/i,
      );
      assert.match(sentences.get('ru') ?? '', /\p{Script=Cyrillic}{4}/u);
      assert.match(sentences.get('kk') ?? '', /[әғқңөұүһі]/iu);
    },
  );
}

/** Why a file is refused, as soon as it comes or when it is read. */
async function refusalOf(client: Client, file: File): Promise<string> {
  const answer = await client.ask('POST', '/datasets', { parts: await partsOf(client, file) });
  if (answer.status === 422) return answer.read<{ errors: { file: string } }>().errors.file;
  const { status, parse_error } = await settle(client, answer.read<Dataset>().id);
  assert.equal(status, 'failed');
  return parse_error ?? '';
}

for (const [what, text, called] of [
  [
    'JSON Lines',
    '{"type":"Feature","properties":{"a":1},"geometry":null}\n{"type":"Feature","properties":{"a":2},"geometry":null}\n',
    /JSON Lines|GeoJSONSeq|newline-delimited/i,
  ],
  ['TopoJSON', '{"type":"Topology","objects":{},"arcs":[]}', /TopoJSON/],
  ['UTF-16 without a mark', Buffer.from(geojson, 'utf16le'), /UTF-16/],
] as const) {
  claim(['D9 other JSON', 'D9 first bytes'], `${what} is called so, with the way out`, async (client) => {
    const sentence = await refusalOf(client, new File([text], 'layer.geojson'));
    assert.match(sentence, called);
    assert.match(sentence, /upload|export|save|convert/i);
  });
}
