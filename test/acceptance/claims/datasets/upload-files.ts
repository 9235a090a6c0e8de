import assert from 'node:assert/strict';
import { rawForm, textPart } from '../../../support/http/raw-http.ts';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { fetchBytes, rawUpload } from '../../support/bytes.ts';
import { type Dataset, discard, refuseUpload, sharedCategory, upload } from '../../support/datasets.ts';
import { bytesOf, geojsonFile, repositoryFile } from '../../support/files.ts';
import { failedTable } from '../../support/shared.ts';

const header = 'Content-Disposition: form-data; name="file"; ';
const stem = '𐰴'.repeat(300);
const long = (length: number): string => `a/${'b'.repeat(length - 2)}`;

/** Headers of the part of a file, the name that is stored, and its content type. */
const kept: readonly (readonly [
  row: string,
  sent: string,
  name: string,
  type?: string,
  typeKept?: string,
])[] = [
  [
    'D3 file name segment',
    'filename="/home/user/данные/dem.tif"',
    'dem.tif',
    'image/tiff; application=geotiff',
  ],
  ['D3 file name segment', String.raw`filename="..\..\a/dem.tif"`, 'dem.tif', long(255)],
  ['D3 file name characters', 'filename="Рельеф Қазақстан 2024.tif"', 'Рельеф Қазақстан 2024.tif', 'a/x'],
  ['D3 file name characters', 'filename="a\u0001b\u007fc\u0085d\t.tif"', 'abcd.tif', long(256), 'image/tiff'],
  [
    'D3 file name characters',
    'filename="x.tif"; filename*=UTF-8\'\'%D0%96%0D%0AA%3A.TIF',
    'ЖA:.TIF',
    'x',
    'image/tiff',
  ],
  ['D3 file name characters', String.raw`filename="a\"b.tif"`, 'a"b.tif', 'Text/PLAIN; a=b', 'image/tiff'],
  [
    'D3 file name length',
    `filename="${stem}.TIFF"`,
    `${stem.slice(0, 2 * 250)}.TIFF`,
    'text/<i>',
    'image/tiff',
  ],
  ['D3 file name length', `filename=${'x'.repeat(252)}.tif`, `${'x'.repeat(251)}.tif`],
];

claim(
  [
    ...new Set(kept.map(([row]) => row)),
    '2.3 Dataset.filename | 2.3 Dataset.content_type | D3 name | D3 content_type sent | D3 content_type else',
    '4.4 download Content-Disposition',
  ],
  'a file keeps the end of its path as its name, which is that of the dataset and of a download, and a media type that is one',
  async (client) => {
    for (const [, sent, name, type, typeKept = type ?? 'image/tiff'] of kept) {
      const headers = [Buffer.from(header + sent), ...(type === undefined ? [] : [`Content-Type: ${type}`])];
      const form = await rawUpload(client, headers);
      const made = await client.read<Dataset>(201, 'POST', '/datasets', form);
      assert.deepEqual([made.filename, made.name, made.content_type], [name, name, typeKept], sent);
      const { headers: answered } = await fetchBytes(client, 200, `/datasets/${made.id}/download`);
      const plain = name.replaceAll('"', '');
      const ascii = plain.replaceAll(/[^ -~]/gu, '_');
      const expected = `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(plain)}`;
      assert.equal(answered['content-disposition'], expected);
      await discard(client, made);
    }
  },
);

claim(
  ['4.4 upload extensions', '4.4 upload file'],
  'a file name that is empty, a folder, too long, not UTF-8 or without an extension of the type is 422 on file',
  async (client) => {
    for (const sent of [
      'filename=""',
      'filename="folder.tif/"',
      'filename="\u0001\u0002"',
      'filename="dem"',
      'filename="dem.tif.exe"',
      'filename="dem.tif."',
      Buffer.from('filename="\xff\xfe.tif"', 'latin1'),
      Buffer.from('filename="\xed\xa0\x80.tif"', 'latin1'),
      "filename*=UTF-8''%ED%A0%80.tif",
      Buffer.from('filename="\xc0\xafx.tif"', 'latin1'),
      `filename="${'x'.repeat(4093)}.tif"`,
    ]) {
      const line = Buffer.concat([Buffer.from(header), Buffer.from(sent)]);
      await client.invalid(['file'], 'POST', '/datasets', await rawUpload(client, [line]));
    }
  },
);

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'));

claim(
  [
    'D3 magic tiff | D3 magic gpkg | D3 magic zip | D3 magic geojson | D3 extension case | D3 content_type else',
    '4.4 upload magic bytes | 4.4 upload extensions',
  ],
  'a file of each type may have its extensions in any case, and begins as that format does, which names its media type',
  async (client) => {
    for (const [type, extension, magic, contentType] of [
      ['raster', '.TIF', 'II*\0', 'image/tiff'],
      ['raster', '.tiff', 'MM\0*', 'image/tiff'],
      ['raster', '.tif', 'II+\0', 'image/tiff'],
      ['raster', '.Tiff', 'MM\0+', 'image/tiff'],
      ['vector_with_kato', '.GPKG', 'SQLite format 3\0', 'application/geopackage+sqlite3'],
      ['vector', '.ZIP', 'PK\u0003\u0004', 'application/zip'],
      ['vector', '.GeoJSON', ' \t\r\n {', 'application/geo+json'],
      ['vector_with_kato', '.geojson', '\u00ef\u00bb\u00bf\n{', 'application/geo+json'],
    ] as const) {
      const line = `${header}filename="a${extension}"`;
      const raw = await rawUpload(client, [line], bytes(`${magic}x`), type);
      const made = await client.read<Dataset>(201, 'POST', '/datasets', raw);
      assert.equal(made.content_type, contentType, extension);
      await discard(client, made);
    }
  },
);

for (const [row, file_type, name, contents] of [
  ['D3 magic tiff', 'raster', 'a.tif', ['II\0*', 'MM*\0', 'II*', ' II*\0', 'PK\u0003\u0004', '']],
  ['D3 magic gpkg', 'vector', 'a.gpkg', ['SQLite format 2\0', 'SQLite format 3', '{}']],
  ['D3 magic zip', 'vector_with_kato', 'a.zip', ['PK\u0005\u0006', 'II*\0']],
  [
    'D3 magic geojson',
    'vector',
    'a.geojson',
    ['[1]', ' \n', '\u00ef\u00bb{}', '<html>', 'PK\u0003\u0004', ''],
  ],
  ['4.4 upload extensions', 'vector', 'a.tif', ['II*\0']],
  ['4.4 upload extensions', 'vector_with_kato', 'a.tiff', ['II*\0']],
  ['4.4 upload extensions', 'raster', 'a.geojson', ['{}']],
  ['4.4 upload extensions', 'raster', 'a.zip', ['PK\u0003\u0004']],
  ['4.4 upload extensions', 'raster', 'a.gpkg', ['SQLite format 3\0']],
  ['4.4 upload extensions', 'vector', 'a.shp', ['\0\0\u0027\n']],
  ['4.4 upload extensions', 'vector', 'a.json', ['{}']],
  ['4.4 upload extensions', 'vector', 'geojson', ['{}']],
] as const) {
  claim(
    [row, '4.4 upload magic bytes', '1.1 validation'],
    `a ${file_type} cannot be ${name} that begins with ${contents.map((each) => JSON.stringify(each)).join(' or ')}`,
    async (client) => {
      for (const content of contents)
        await refuseUpload(client, ['file'], new File([bytes(content)], name), { file_type });
    },
  );
}

claim(
  ['D3 magic geojson', 'D3 streamed'],
  'the first byte that is not blank may come after a million blanks',
  async (client) => {
    const file = new File([' '.repeat(1_000_000), '{"type":"FeatureCollection","features":[]}'], 'a.geojson');
    assert.equal((await upload(client, file)).size_bytes, 1_000_042);
  },
);

async function assertDownload(client: Client, id: string, content: Buffer, name: string) {
  const answer = await fetchBytes(client, 200, `/datasets/${id}/download`);
  assert.equal(answer.headers['content-type'], 'application/octet-stream');
  assert.ok(answer.bytes.equals(content), name);
  return answer.headers;
}

claim(
  ['4.4 download', 'D3 failed', '2.3 Dataset.size_bytes'],
  'a download gives back the bytes that were uploaded, of any type and state, as many as size_bytes says',
  async (client) => {
    for (const file of [
      await repositoryFile('test/fixtures/vector/multi_layer.gpkg'),
      geojsonFile(' \n{"type":"FeatureCollection","features":[]}\r\n', 'ж.geojson'),
      new File(['II*\0 broken'], 'broken.tif'),
    ]) {
      const { id, size_bytes } = await upload(client, file);
      assert.equal(size_bytes, file.size);
      await assertDownload(client, id, await bytesOf(file), file.name);
      await discard(client, { id });
    }
    const { id, size_bytes } = await failedTable(client);
    assert.equal((await fetchBytes(client, 200, `/datasets/${id}/download`)).bytes.length, size_bytes);
  },
);

claim(
  ['4.4 upload', '4.4 upload file'],
  'a form may be framed in every way that its standard allows, and holds what looks like a boundary',
  async (client) => {
    const boundary = "a'()+_,-./:=?b";
    const disposition = 'CONTENT-DISPOSITION: Form-Data; FileName=a.tif; NAME=file';
    const content = `II*\0 \r\n--${boundary.slice(0, -1)}\r\n-- ${boundary}--`;
    const fields = [textPart('file_type', 'raster'), textPart('category_id', await sharedCategory(client))];
    const form = Buffer.from(rawForm([...fields, { headers: ['X-Other: y', disposition], content }]));
    const body = form.toString('latin1').replaceAll(/--edge(?=\r|--)/g, `--${boundary}`);
    for (const [type, text] of [
      [`multipart/form-data; charset=utf-8; boundary="${boundary}"`, `A message\r\nin parts.\r\n${body}`],
      [`Multipart/Form-Data; Boundary="${boundary}"`, `${body}and so on\r\n--${boundary}\r\n`],
      [`multipart/form-data; boundary="${boundary}"`, body.replace(/\r\n$/, '')],
    ] as const) {
      const asked = { body: text, headers: { 'content-type': type } };
      const { filename, id } = await client.read<Dataset>(201, 'POST', '/datasets', asked);
      assert.equal(filename, 'a.tif', type);
      await assertDownload(client, id, Buffer.from(content), type);
      await discard(client, { id });
    }
    const nameless = await rawUpload(client, ['Content-Disposition: form-data; filename="a.tif"']);
    await client.invalid(['file'], 'POST', '/datasets', nameless);
  },
);
