import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { registered, writeGeoPackage } from '../../support/geo/geopackages.ts';
import { handmadeTiff, imageTags, longs, shorts, tag } from '../../support/hostile/hostile-tiffs.ts';
import { hostileZip, type ZipEntry } from '../../support/hostile/hostile-zip.ts';
import { shapefileOf } from '../../support/geo/shapefiles.ts';
import { MiB } from '../../../src/lib/units.ts';

export interface Bomb {
  readonly name: string;
  readonly fileType: 'raster' | 'vector' | 'vector_with_kato';
  readonly filename: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

const tileSide = 512;
const deflate = 8;

/** A view that joins a table with itself practically without end, and finds no row. */
export function endlessView(folder: string): Bomb {
  const sql = `create table numbers (number integer);
    with recursive counted (number) as (select 1 union all select number + 1 from counted where number < 3000)
      insert into numbers select number from counted;
    create view endless as select a.rowid as fid, a.number + b.number + c.number + d.number as sum
      from numbers a, numbers b, numbers c, numbers d where a.number + b.number + c.number + d.number < 0;
    ${registered('endless')}`;
  const path = writeGeoPackage(join(folder, `${randomUUID()}.gpkg`), { geometries: [], sql });
  return {
    name: 'a view without end',
    fileType: 'vector_with_kato',
    filename: 'endless.gpkg',
    bytes: Buffer.from(readFileSync(path)),
  };
}

/** An empty raster of the largest allowed size. */
export function emptyCountry(): Bomb {
  const side = 148_000;
  const tiles = {
    type: 'long',
    values: Array.from({ length: Math.ceil(side / tileSide) ** 2 }, () => 0),
  } as const;
  const places = [tag.tileOffsets, tag.tileByteCounts].map((number) => ({ tag: number, ...tiles }));
  return raster('22 gigapixels', handmadeTiff([{ tags: [...tiledTags(side), ...places] }]));
}

/** Bombs that are refused or read within seconds: one of each kind; the others are tested without a service. */
export function quickBombs(): readonly Bomb[] {
  const { shp, shx } = shapefileOf({ points: [[70, 50]], texts: [] });
  const zeros = Buffer.alloc(256 * MiB);
  const shapes: readonly ZipEntry[] = [
    { name: 'a.shp', bytes: shp },
    { name: 'a.shx', bytes: shx },
  ];
  return [
    archive('a table packed 1000 : 1', [...shapes, { name: 'a.dbf', bytes: zeros }]),
    archive('files that overlap', [
      { name: 'a.geojson', bytes: Buffer.alloc(8 * MiB) },
      ...Array.from({ length: 2000 }, (_, index) => ({
        name: `${index}.dbf`,
        bytes: '',
        says: { offset: 0, unpackedBytes: 8 * MiB, packedBytes: 8000 },
      })),
    ]),
    archive('a feature of 300 MB', [{ name: 'a.geojson', bytes: longLine(300 * MiB) }]),
    { ...archive('', []), name: 'brackets in brackets', filename: 'a.geojson', bytes: deepGeometry(100_000) },
    raster('2^31 by 2^31 pixels', handmadeTiff([{ tags: imageTags(2 ** 31 - 1, 2 ** 31 - 1) }])),
    raster('a million images', handmadeTiff(Array.from({ length: 1e6 }, () => ({ tags: sizeAlone })))),
    raster(
      'a tile that unpacks to 256 MiB',
      handmadeTiff([{ tags: deflatedTags, blocks: [deflateSync(zeros)] }]),
    ),
  ];
}

function archive(name: string, entries: readonly ZipEntry[]): Bomb {
  return { name, fileType: 'vector', filename: 'a.zip', bytes: Buffer.from(hostileZip(entries)) };
}

function raster(name: string, bytes: Uint8Array): Bomb {
  return { name, fileType: 'raster', filename: 'a.tif', bytes: Buffer.from(bytes) };
}

function tiledTags(side: number) {
  return imageTags(side, side, longs(tag.tileWidth, tileSide), longs(tag.tileHeight, tileSide));
}

const sizeAlone = [longs(tag.width, 1), longs(tag.height, 1)];

const deflatedTags = [
  ...tiledTags(tileSide).filter((one) => one.tag !== tag.compression),
  shorts(tag.compression, deflate),
];

/** One line of text that compresses about fiftyfold. */
function longLine(bytes: number): Buffer {
  const head = '{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[';
  const runs = Array.from(
    { length: 3000 },
    (_, index) => '[70.25,50.25],'.repeat(30) + `[${60 + (index % 977) / 100},50],`,
  );
  const file = Buffer.alloc(bytes, runs.join(''));
  const tail = '[70,50],[71,51]]}}';
  // The last pair is cut; blanks replace its rest.
  const end = file.lastIndexOf('],', bytes - tail.length) + 2;
  file.write(head + ' '.repeat(file.indexOf('],', head.length) + 2 - head.length));
  file.fill(' ', end);
  file.write(tail, bytes - tail.length);
  return file;
}

function deepGeometry(depth: number): Buffer<ArrayBuffer> {
  const collection = '{"type":"GeometryCollection","geometries":[';
  return Buffer.from(
    `{"type":"Feature","properties":{},"geometry":${collection.repeat(depth)}${']}'.repeat(depth)}}`,
  );
}
