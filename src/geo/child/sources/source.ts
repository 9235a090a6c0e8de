import type { SourceChoice, SourceDescription } from '../../source.ts';

/** One raster of an open file, north up, with stored values. */
export interface PlannedRaster {
  readonly width: number;
  readonly height: number;
  /** The upper left corner, in the units of the CRS. */
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** The CRS as a text for PROJ or in WKT; undefined if the file has none. */
  readonly crs: string | undefined;
  readonly type: RasterType;
  readonly noData: number | undefined;
  readonly scale: number | undefined;
  readonly offset: number | undefined;
  readonly unit: string | undefined;
  readonly title: string;
  /** Reads rows from north to south. @throws {Problem} if they cannot be read. */
  readRows(first: number, count: number): Promise<Float64Array>;
}

/** Types of GDAL's rasters. */
export type RasterType = 'Byte' | 'UInt16' | 'Int16' | 'UInt32' | 'Int32' | 'Float32' | 'Float64';

/** A file from which rasters are made. */
export interface Source {
  /** @throws {Problem} if none of it can be read. */
  description(): SourceDescription | Promise<SourceDescription>;
  /** Plans a raster, which is read before the next one is planned. @throws {Problem} if the file has no such raster, or none that can be made. */
  plan(choice: SourceChoice): PlannedRaster | Promise<PlannedRaster>;
  close(): Promise<void>;
}
