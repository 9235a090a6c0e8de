import assert from 'node:assert/strict';
import { fromArrayBuffer, writeArrayBuffer } from 'geotiff';
import type { Client } from '../client.ts';

export interface RasterToWrite {
  readonly rows: readonly (readonly number[])[];
  /** 32642 unless given: UTM zone 42N. */
  readonly epsg?: number;
  /** Outer corner of the first pixel. */
  readonly corner?: readonly [x: number, y: number];
  readonly pixelSize?: number;
  readonly noData?: number;
  /** A second band of this value everywhere, when there is to be one. */
  readonly secondBand?: number;
}

/** A GeoTIFF of float32; where the golden rasters lie, in pixels of 1000 m, unless told otherwise. */
export function writeRaster(raster: RasterToWrite, name = 'raster.tif'): File {
  const { rows, epsg = 32_642, corner = [500_000, 5_550_000], pixelSize = 1000, noData, secondBand } = raster;
  const isGeographic = epsg === 4326;
  const values = rows.flat().flatMap((value) => (secondBand === undefined ? value : [value, secondBand]));
  const bytes = writeArrayBuffer(new Float32Array(values), {
    width: rows[0]?.length ?? 0,
    height: rows.length,
    ...(secondBand === undefined
      ? {}
      : { SamplesPerPixel: 2, BitsPerSample: [32, 32], SampleFormat: [3, 3] }),
    ModelPixelScale: [pixelSize, pixelSize, 0],
    ModelTiepoint: [0, 0, 0, ...corner, 0],
    GTModelTypeGeoKey: isGeographic ? 2 : 1,
    GTRasterTypeGeoKey: 1,
    ...(isGeographic ? { GeographicTypeGeoKey: epsg } : { ProjectedCSTypeGeoKey: epsg }),
    ...(noData === undefined ? {} : { GDAL_NODATA: String(noData) }),
  });
  return new File([new Uint8Array(bytes)], name);
}

export interface ReadRaster {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly type: 'float32' | 'uint8' | 'other';
  readonly noData: number | null;
  readonly epsg: unknown;
  readonly corner: readonly number[];
  readonly pixelSize: readonly number[];
  readonly tile: readonly [width: number, height: number];
  /** Row by row, of the first band. */
  readonly values: readonly number[];
}

/** The raster that a dataset's COG holds, read by software that is none of the service's. */
export async function readCog({ baseUrl }: Pick<Client, 'baseUrl'>, datasetId: string): Promise<ReadRaster> {
  const path = `/datasets/${datasetId}.cog`;
  const response = await fetch(baseUrl + path);
  assert.equal(response.status, 200, path);
  assert.equal(response.headers.get('content-type'), 'image/tiff', path);
  const image = await (await fromArrayBuffer(await response.arrayBuffer())).getImage();
  const [band] = await image.readRasters();
  return {
    width: image.getWidth(),
    height: image.getHeight(),
    bands: image.getSamplesPerPixel(),
    type: band instanceof Float32Array ? 'float32' : band instanceof Uint8Array ? 'uint8' : 'other',
    noData: image.getGDALNoData(),
    epsg: image.getGeoKeys()?.ProjectedCSTypeGeoKey ?? image.getGeoKeys()?.GeographicTypeGeoKey,
    corner: image.getOrigin().slice(0, 2),
    pixelSize: image.getResolution().slice(0, 2),
    tile: [image.getTileWidth(), image.getTileHeight()],
    values: typeof band === 'object' ? Array.from(band) : [],
  };
}
