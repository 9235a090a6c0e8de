import assert from 'node:assert/strict';
import type { Client } from '../client.ts';
import { claim } from '../claim.ts';
import { rawUpload } from '../support/bytes.ts';
import { type Dataset, getDataset, refuseUpload, upload } from '../support/datasets.ts';
import { type RawPart } from '../../support/raw-http.ts';

const header = 'Content-Disposition: form-data; name="file"; ';

async function accepted(client: Client, headers: RawPart['headers']): Promise<Dataset> {
  const form = await rawUpload(client, headers);
  const { id } = await client.read<Dataset>(201, 'POST', '/datasets', form);
  return await getDataset(client, id);
}

const stem = '𐰴'.repeat(300);
for (const [row, sent, kept] of [
  ['D3 file name segment', 'filename="/home/user/данные/dem.tif"', 'dem.tif'],
  ['D3 file name segment', String.raw`filename="C:\Users\me\dem.tif"`, 'dem.tif'],
  ['D3 file name segment', String.raw`filename="..\..\a/dem.tif"`, 'dem.tif'],
  ['D3 file name characters', 'filename="Рельеф Қазақстан 2024.tif"', 'Рельеф Қазақстан 2024.tif'],
  ['D3 file name characters', 'filename="a\u0001b\u007fc\u0085d\t.tif"', 'abcd.tif'],
  ['D3 file name characters', "filename*=UTF-8''%D0%96%0D%0A%00.tif", 'Ж.tif'],
  ['D3 file name characters', `filename="fallback.tif"; filename*=UTF-8''%D2%9A.tif`, 'Қ.tif'],
  ['D3 file name characters', String.raw`filename="a\"b.tif"`, 'a"b.tif'],
  ['D3 file name characters', 'filename=bare.tif', 'bare.tif'],
  ['D3 file name length', `filename="${stem}.TIFF"`, `${stem.slice(0, 2 * 250)}.TIFF`],
  ['D3 file name length', `filename="${'x'.repeat(251)}.tif"`, `${'x'.repeat(251)}.tif`],
  ['D3 file name length', `filename="${'x'.repeat(252)}.tif"`, `${'x'.repeat(251)}.tif`],
  ['D3 file name characters', 'filename="%D0%96.tif"', '%D0%96.tif'],
] as const) {
  claim(
    [row, '2.3 Dataset.filename', 'D3 name'],
    `${sent.slice(0, 60)} is kept as ${kept.slice(0, 30)}, and is the name`,
    async (client) => {
      const { filename, name } = await accepted(client, [Buffer.from(header + sent)]);
      assert.deepEqual([filename, name], [kept, kept]);
    },
  );
}

for (const [what, sent] of [
  ['an empty file name', 'filename=""'],
  ['a file name that is a folder', 'filename="folder.tif/"'],
  ['a file name of control characters', 'filename="\u0001\u0002"'],
  ['no extension', 'filename="dem"'],
  ['another extension', 'filename="dem.tif.exe"'],
  ['a dot at the end', 'filename="dem.tif."'],
  ['a file name that is not UTF-8', Buffer.from('filename="\xff\xfe.tif"', 'latin1')],
  ['a file name of half a surrogate pair', Buffer.from('filename="\xed\xa0\x80.tif"', 'latin1')],
  ['an extended file name of half a surrogate pair', "filename*=UTF-8''%ED%A0%80.tif"],
  ['a file name with an overlong slash', Buffer.from('filename="\xc0\xafx.tif"', 'latin1')],
  ['a file name of more than 4 KiB', `filename="${'x'.repeat(4093)}.tif"`],
] as const) {
  claim(['4.4 upload extensions', '4.4 upload file'], `${what} is 422 on file`, async (client) => {
    const line = Buffer.concat([Buffer.from(header), Buffer.from(sent)]);
    await client.invalid(['file'], 'POST', '/datasets', await rawUpload(client, [line]));
  });
}

const long = (length: number): string => `a/${'b'.repeat(length - 2)}`;
for (const [row, sent, name, kept] of [
  ['D3 content_type sent', 'image/tiff; application=geotiff', 'a.tif', 'image/tiff; application=geotiff'],
  ['D3 content_type sent', 'application/x-anything', 'a.tif', 'application/x-anything'],
  ['D3 content_type sent', long(255), 'a.tif', long(255)],
  ['D3 content_type else', long(256), 'a.tif', 'image/tiff'],
  ['D3 content_type else', 'nonsense', 'a.tif', 'image/tiff'],
  ['D3 content_type else', 'text/<script>', 'a.tiff', 'image/tiff'],
  ['D3 content_type else', 'text/plain', 'a.tif', 'image/tiff'],
  ['D3 content_type else', 'Text/PLAIN; charset=utf-8', 'a.tif', 'image/tiff'],
  ['D3 content_type else', undefined, 'a.TIF', 'image/tiff'],
] as const) {
  claim(
    [row, '2.3 Dataset.content_type'],
    `a file sent as ${String(sent).slice(0, 40)} (${String(sent).length}) has the content type ${kept.slice(0, 40)}`,
    async (client) => {
      const type = sent === undefined ? [] : [`Content-Type: ${sent}`];
      const { content_type } = await accepted(client, [`${header}filename="${name}"`, ...type]);
      assert.equal(content_type, kept);
    },
  );
}

for (const [extension, content, contentType] of [
  ['.geojson', '{', 'application/geo+json'],
  ['.gpkg', 'SQLite format 3\0', 'application/geopackage+sqlite3'],
  ['.zip', 'PK\u0003\u0004', 'application/zip'],
] as const) {
  claim(
    ['D3 content_type else'],
    `a ${extension} of which nothing is said has the content type ${contentType}`,
    async (client) => {
      const form = await rawUpload(client, [`${header}filename="a${extension}"`], content, 'vector');
      const { content_type } = await client.read<Dataset>(201, 'POST', '/datasets', form);
      assert.equal(content_type, contentType);
    },
  );
}

const tables = ['vector', 'vector_with_kato'] as const;
const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'));
const signatures = [
  ['D3 magic tiff', '.tif', 'II*\0', ['raster']],
  ['D3 magic tiff', '.tiff', 'MM\0*', ['raster']],
  ['D3 magic tiff', '.tif', 'II+\0', ['raster']],
  ['D3 magic tiff', '.tiff', 'MM\0+', ['raster']],
  ['D3 magic gpkg', '.gpkg', 'SQLite format 3\0', tables],
  ['D3 magic zip', '.zip', 'PK\u0003\u0004', tables],
  ['D3 magic geojson', '.geojson', '{', tables],
  ['D3 magic geojson', '.geojson', ' \t\r\n {', tables],
  ['D3 magic geojson', '.geojson', '\u00ef\u00bb\u00bf\n{', tables],
] as const;

for (const [row, extension, magic, fileTypes] of signatures) {
  for (const file_type of fileTypes) {
    claim(
      [row, 'D3 extension case', '4.4 upload magic bytes', '4.4 upload extensions'],
      `a ${file_type} may be a ${extension.toUpperCase()} that begins with ${JSON.stringify(magic)}`,
      async (client) => {
        const file = new File([bytes(magic), 'x'], `a${extension.toUpperCase()}`);
        await upload(client, file, { file_type });
      },
    );
  }
}

for (const [row, file_type, name, content] of [
  ['D3 magic tiff', 'raster', 'a.tif', 'II\0*'],
  ['D3 magic tiff', 'raster', 'a.tif', 'MM*\0'],
  ['D3 magic tiff', 'raster', 'a.tiff', 'II*'],
  ['D3 magic tiff', 'raster', 'a.tif', ' II*\0'],
  ['D3 magic tiff', 'raster', 'a.tif', 'PK\u0003\u0004'],
  ['D3 magic gpkg', 'vector', 'a.gpkg', 'SQLite format 2\0'],
  ['D3 magic gpkg', 'vector', 'a.gpkg', 'SQLite format 3'],
  ['D3 magic gpkg', 'vector', 'a.gpkg', '{}'],
  ['D3 magic zip', 'vector', 'a.zip', 'PK\u0005\u0006'],
  ['D3 magic zip', 'vector_with_kato', 'a.zip', 'II*\0'],
  ['D3 magic geojson', 'vector', 'a.geojson', '[1]'],
  ['D3 magic geojson', 'vector', 'a.geojson', ' \n'],
  ['D3 magic geojson', 'vector', 'a.geojson', '\u00ef\u00bb{}'],
  ['D3 magic geojson', 'vector_with_kato', 'a.geojson', 'PK\u0003\u0004'],
  ['4.4 upload magic bytes', 'vector', 'a.geojson', '<html>'],
  ['4.4 upload magic bytes', 'raster', 'a.tif', ''],
  ['4.4 upload magic bytes', 'vector', 'a.geojson', ''],
  ['4.4 upload extensions', 'vector', 'a.tif', 'II*\0'],
  ['4.4 upload extensions', 'vector_with_kato', 'a.tiff', 'II*\0'],
  ['4.4 upload extensions', 'raster', 'a.geojson', '{}'],
  ['4.4 upload extensions', 'raster', 'a.zip', 'PK\u0003\u0004'],
  ['4.4 upload extensions', 'raster', 'a.gpkg', 'SQLite format 3\0'],
  ['4.4 upload extensions', 'vector', 'a.shp', '\0\0\u0027\n'],
  ['4.4 upload extensions', 'vector', 'a.json', '{}'],
  ['4.4 upload extensions', 'vector', 'geojson', '{}'],
] as const) {
  claim(
    [row, '4.4 upload magic bytes', '1.1 validation'],
    `a ${file_type} cannot be ${name} that begins with ${JSON.stringify(content)}`,
    async (client) => {
      const file = new File([bytes(content)], name);
      await refuseUpload(client, ['file'], file, { file_type });
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
