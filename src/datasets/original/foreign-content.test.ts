import assert from 'node:assert/strict';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, test } from 'node:test';
import { contents } from '../../messages/contents/english.ts';
import { translate } from '../../messages/languages/translate.ts';
import { fileFaults } from '../../messages/request/english.ts';
import { namesOfContent } from './content-remedy.ts';
import { type ForeignContent, foreignContent, headBytes } from './foreign-content.ts';

const json = '{"type":"FeatureCollection","features":[]}';
const zip = (name: string, content = '') => {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name + content)]);
};
const dbf = () => {
  const header = Buffer.alloc(65);
  header.set([3, 126, 11, 25]);
  header.writeUInt16LE(65, 8);
  return header;
};
const bmp = Buffer.alloc(60);
bmp.write('BM');
bmp.writeUInt32LE(60, 2);

const files: Readonly<Record<ForeignContent, readonly (string | Buffer)[]>> = {
  arrow: ['ARROW1\0\0'],
  asciiGrid: ['ncols 10\nnrows 10\n'],
  blank: ['  \r\n\t', '\xef\xbb\xbf\n'],
  bmp: [bmp],
  bzip2: ['BZh91AY&SY'],
  commentedJson: [`// regions\n${json}`, `/* regions */${json}`],
  csv: ['kato;name\n110000000;a', 'kato,name\r\n', 'kato\tname'],
  dbf: [dbf()],
  docx: [zip('[Content_Types].xml', 'PK word/document.xml')],
  dwg: ['AC1027\0\0'],
  dxf: ['  0\r\nSECTION\r\n  2\r\nHEADER', '999\nmade\n0\nSECTION', 'AutoCAD Binary DXF\r\n\x1a\0'],
  e00: ['EXP  0 C:\\X.E00'],
  flatGeobuf: ['fgb\x03fgb\0'],
  geodatabase: [zip('data.gdb/a00000001.gdbtable')],
  geopackage: [`SQLite format 3\0${'\0'.repeat(52)}GPKG`],
  gif: ['GIF89a'],
  gml: [
    '<?xml version="1.0"?><wfs:FeatureCollection xmlns:wfs="x">',
    '<a:City xmlns:gml="http://www.opengis.net/gml">',
  ],
  gpx: ['<gpx version="1.1">'],
  grib: ['GRIB\0\0\0\x02'],
  gzip: [gzipSync(json)],
  hdf4: ['\x0e\x03\x13\x01'],
  hdf5: ['\x89HDF\r\n\x1a\n'],
  html: [
    '<!DOCTYPE html><html>',
    '\n<HTML lang="ru">',
    '<?xml version="1.0"?>\n<!-- page --><html xmlns="x">',
  ],
  img: ['EHFA_HEADER_TAG\0'],
  javaScript: [
    `var regions = ${json};`,
    `callback(${json})`,
    `window.data=${json}`,
    `export default ${json}`,
    `)]}'\n${json}`,
    `data = ${json}`,
  ],
  jpeg: ['\xff\xd8\xff\xe0'],
  jpeg2000: ['\0\0\0\x0cjP  \r\n', '\xff\x4f\xff\x51'],
  json: [json],
  jsonList: ['[{"type":"Feature"}]', ' [1]'],
  kml: ['<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by > -->\n<kml xmlns="x">', '<kml:kml>'],
  kmz: [zip('doc.kml')],
  las: ['LASF\0\0'],
  lfsPointer: ['version https://git-lfs.github.com/spec/v1\noid'],
  mbTiles: [`SQLite format 3\0${'\0'.repeat(52)}MPBX`],
  mif: ['VERSION 300\nCharset "WindowsCyrillic"\n'],
  netcdf: ['CDF\x01\0', 'CDF\x05\0'],
  ods: [zip('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')],
  ole: ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  osm: ['<osm version="0.6">', '\0\0\0\x0e\x0a\x09OSMHeader'],
  parquet: ['PAR1\x15'],
  pdf: ['%PDF-1.7'],
  pmTiles: ['PMTiles\x03'],
  png: ['\x89PNG\r\n\x1a\n'],
  qgis: ["<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n<qgis>", '<qgis version="3">'],
  rar: ['Rar!\x1a\x07\x01\0'],
  sequence: [`\x1e${json}\n`],
  serviceError: ['<?xml version="1.0"?><ows:ExceptionReport>', '<ServiceExceptionReport>'],
  sevenZip: ['7z\xbc\xaf\x27\x1c'],
  shp: ['\0\0\x27\x0a\0\0'],
  sld: ['<?xml version="1.0"?>\n<sld:StyledLayerDescriptor>', '<StyledLayerDescriptor version="1.0.0">'],
  sqlite: ['SQLite format 3\0'],
  surfer: ['DSBB\x01\0', 'DSAA\n10 10'],
  tab: ['!table\n!version 300\n'],
  tar: [`a.geojson${'\0'.repeat(248)}ustar`],
  text: ['Области Казахстана', '"quoted"', '42', 'п\xd1'],
  tiff: ['II*\0', 'MM\0+'],
  utf16: [`\xff\xfe${Buffer.from(json, 'utf16le').toString('latin1')}`, '\xfe\xff\0{', '{\0"\0', '\0{\0"'],
  utf32: ['\xff\xfe\0\0{\0\0\0', '\0\0\xfe\xff'],
  vrt: ['<VRTDataset rasterXSize="1">'],
  webp: ['RIFF\0\0\0\0WEBPVP8 '],
  wkt: ['POLYGON ((1 2, 3 4))', 'SRID=4326;MultiPoint Z (1 2 3)'],
  xlsx: [zip('[Content_Types].xml', 'PK xl/workbook.xml'), zip('xl/workbook.xml')],
  xml: ['<root/>', '<?xml version="1.0"?>'],
  xz: ['\xfd7zXZ\0'],
  zip: [zip('regions.shp'), 'PK\x05\x06'],
  zstd: [zstdCompressSync(json)],
};

describe('The first bytes tell', () => {
  for (const [content, heads] of Object.entries(files)) {
    test(content, () => {
      assert.ok(heads.length > 0);
      for (const head of heads) {
        // Text beyond latin1 is encoded as UTF-8.
        const isLatin = typeof head === 'string' && !/[^\0-\xff]/.test(head);
        const bytes = typeof head === 'string' ? Buffer.from(head, isLatin ? 'latin1' : 'utf8') : head;
        assert.equal(foreignContent(bytes.subarray(0, headBytes)), content, JSON.stringify(head));
      }
    });
  }

  test('nothing of unknown bytes', () => {
    assert.equal(foreignContent(Buffer.from([1, 2, 3, 4])), undefined);
    assert.equal(foreignContent(Buffer.alloc(headBytes, 0)), undefined);
  });

  test('their kind soon, whatever stands there', () => {
    const start = performance.now();
    for (const text of ['<!', '<?', '<!--', '/*', '999\n', 'a', '1,', '(', '<a:', ' ', '<!--->'])
      foreignContent(Buffer.from(text.repeat(headBytes).slice(0, headBytes)));
    assert.ok(performance.now() - start < 1000);
  });
});

describe('The sentence of a refused upload names what was found and the way out', () => {
  const sentence = (found: ForeignContent | undefined, promised: 'json' | 'tiff') => {
    const named = namesOfContent(found, promised);
    return fileFaults.wrongContent(promised === 'json' ? '.geojson' : '.tif', named.found, named.remedy);
  };

  test('in English', () => {
    assert.equal(
      sentence('gzip', 'json').english,
      'is not a .geojson file by its first bytes: it is a gzip archive; unpack it and upload the file in it',
    );
    assert.match(sentence('png', 'json').english, /it is a PNG picture; a picture has no features/);
    assert.match(sentence('png', 'tiff').english, /it is a PNG picture; convert it to GeoTIFF/);
    assert.equal(
      sentence(undefined, 'tiff').english,
      'is not a .tif file by its first bytes; export it again in the format that its name states',
    );
  });

  test('in Russian and Kazakh, for every content', () => {
    for (const found of [...Object.keys(files), undefined]) {
      const content = Object.keys(contents).find((each): each is ForeignContent => each === found);
      for (const promised of ['json', 'tiff'] as const) {
        const message = sentence(content, promised);
        for (const language of ['ru', 'kk'] as const) {
          const said = translate(message, language);
          assert.match(said, language === 'ru' ? /^судя по первым байтам, / : /^алғашқы байттарына /);
          assert.doesNotMatch(said, /undefined|\bit is\b/);
        }
      }
    }
  });
});
