import type { Sentence } from '../lib/message.ts';

/** Formats of files from which rasters are made. */
export const sourceFormats = ['netcdf', 'hdf5', 'hdf4', 'grib', 'imagine', 'ascii-grid', 'zip'] as const;
export type SourceFormat = (typeof sourceFormats)[number];

/** First bytes in Latin-1. */
const signatures: readonly (readonly [format: SourceFormat, starts: readonly string[]])[] = [
  ['netcdf', ['CDF\u0001', 'CDF\u0002', 'CDF\u0005']],
  ['hdf5', ['\u0089HDF\r\n\u001A\n']],
  ['hdf4', ['\u000E\u0003\u0013\u0001']],
  ['imagine', ['EHFA_HEADER_TAG']],
  ['zip', ['PK\u0003\u0004']],
];
/** A bulletin's heading may come before the first message. */
const mostHeadingBytes = 256;
const asciiHeader = /^(?:\u00EF\u00BB\u00BF)?\s*(?:ncols|nrows|xll|yll|cellsize|dx)\w*\s+[\d.,+-]+\s/i;

/** Returns the format of a file by its first bytes, whatever its name; undefined for another format. */
export function sourceFormatOf(head: Buffer): SourceFormat | undefined {
  const text = head.toString('latin1');
  const signed = signatures.find(([, starts]) => starts.some((start) => text.startsWith(start)));
  if (signed !== undefined) return signed[0];
  if (asciiHeader.test(text)) return 'ascii-grid';
  const message = text.indexOf('GRIB');
  const edition = message === -1 ? 0 : text.charCodeAt(message + 7);
  return message <= mostHeadingBytes && (edition === 1 || edition === 2) ? 'grib' : undefined;
}

/** Limits of a description. */
export const sourceLimits = {
  variables: 1000,
  axes: 1000,
  /** Positions of all axes together. */
  positions: 200_000,
  /** Rasters that one child makes. */
  rastersAtOnce: 32,
  /** Tiles of an archive: all are open while their mosaic is made. */
  tiles: 200,
} as const;

/** A dimension besides rows and columns: times, levels, members, bands. */
export interface SourceAxis {
  readonly name: string;
  readonly title?: string | undefined;
  readonly unit?: string | undefined;
  readonly size: number;
  /** Calendar of the CF conventions, of times only. */
  readonly calendar?: string | undefined;
  /** Numbers, or dates in the calendar of the axis. */
  readonly values: readonly (number | string)[];
  /** First and last day of each time, in the Gregorian calendar. */
  readonly periods?: readonly (readonly [start: string, end: string])[] | undefined;
}

export interface SourceVariable {
  readonly name: string;
  readonly title?: string | undefined;
  readonly unit?: string | undefined;
  readonly type: string;
  readonly width: number;
  readonly height: number;
  /** Scale and offset that lead from the stored to the real values; absent if they are the same. */
  readonly scale?: number | undefined;
  readonly offset?: number | undefined;
  /** In the coordinates of the CRS: left, top, and size of a cell. */
  readonly grid?:
    | {
        readonly left: number;
        readonly top: number;
        readonly cell_width: number;
        readonly cell_height: number;
      }
    | undefined;
  /** For example `EPSG:4326`, or the name of the CRS; absent if the file has none. */
  readonly crs?: string | undefined;
  /** Numbers of its axes in the list of the description. */
  readonly axes: readonly number[];
  /** Why no raster can be made of it. */
  readonly refusal?: { readonly message: string; readonly sentence?: Sentence | undefined } | undefined;
}

type CellGrid = NonNullable<SourceVariable['grid']>;

/** A tile in a ZIP of tiles. */
export interface SourceTile {
  /** Its path in the archive. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly type: string;
  readonly grid?: CellGrid | undefined;
  readonly crs?: string | undefined;
  /** Tiles of one number have one system, and their cells coincide. */
  readonly set?: number | undefined;
  /** Why it cannot be used. */
  readonly refusal?: SourceVariable['refusal'];
}

export interface SourceDescription {
  readonly variables: readonly SourceVariable[];
  readonly axes: readonly SourceAxis[];
  /** Number of variables beyond the limit, which are left out. */
  readonly left_out: number;
  /** Only of a ZIP of tiles. */
  readonly tiles?: readonly SourceTile[] | undefined;
}

/** One raster of a file. */
export interface SourceChoice {
  readonly variable: string;
  /** Positions from 0 on, by the names of the axes. */
  readonly positions: Readonly<Record<string, number>>;
  /** For example `EPSG:32642`, of a file without a CRS. */
  readonly crs?: string | undefined;
  /** Only of a ZIP of tiles: the position of one in the description. */
  readonly tile?: number | undefined;
}

/** A GeoTIFF that was made. */
export interface SourceRaster {
  readonly path: string;
  readonly sizeBytes: number;
}
