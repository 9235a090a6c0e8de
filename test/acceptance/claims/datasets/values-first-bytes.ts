import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { type Dataset, partsOf, settle } from '../../support/datasets.ts';
import { zipFileOf } from '../../support/shapefile.ts';

const geojson = '{"type":"FeatureCollection","features":[]}';
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const filled = (head: Buffer): Buffer => Buffer.concat([head, Buffer.alloc(200)]);

/** First bytes of files that users upload with a wrong extension, and the format that the message must name. */
const kinds = [
  ['raster', 'map.tif', filled(bytes([0x89], 'PNG\r\n', [0x1a], '\n')), /PNG/],
  ['raster', 'map.tif', filled(bytes([0x89], 'HDF\r\n', [0x1a], '\n')), /HDF5|NetCDF/],
  ['raster', 'map.tif', Buffer.from('<!DOCTYPE html><html><body>Sign in</body></html>'), /HTML/],
  ['vector', 'layer.geojson', gzipSync(geojson), /gzip/i],
  ['vector', 'layer.geojson', Buffer.from(`\ufeff${geojson}`, 'utf16le'), /UTF-16/],
  ['vector', 'layer.geojson', Buffer.from('[{"type":"Feature"}]'), /JSON/],
  ['vector', 'layer.gpkg', Buffer.from(geojson), /JSON/],
  ['vector', 'layer.zip', filled(bytes('Rar!', [0x1a, 7, 0])), /RAR/i],
  ['vector_with_kato', 'table.geojson', Buffer.from(await workbook().arrayBuffer()), /Excel|\.?xlsx/i],
] as const;

/** The beginning of an Excel file. */
function workbook(): File {
  const texts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': '<x/>',
    'xl/workbook.xml': '<workbook/>',
  };
  return zipFileOf(texts);
}

for (const [file_type, name, content, called] of kinds) {
  claim(
    ['D9 first bytes'],
    `a ${name} of the type ${file_type} that is really ${called.source} is called so, with the way out`,
    async (client) => {
      const parts = await partsOf(client, new File([Uint8Array.from(content)], name), { file_type });
      for (const [language, more] of [
        ['en', /upload|export|download|save|convert|unpack|send|give it the extension/i],
        ['ru', /\p{Script=Cyrillic}{4}/u],
        ['kk', /[әғқңөұүһі]/iu],
      ] as const) {
        const headers = { 'accept-language': language };
        const { file = '' } = await client.invalid(['file'], 'POST', '/datasets', { parts, headers });
        assert.match(file, called, language);
        assert.match(file, more);
      }
    },
  );
}

/** Message about a refused file, from the upload or from its processing. */
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
