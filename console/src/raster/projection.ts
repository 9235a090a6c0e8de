import proj4 from 'proj4';
import {
  type Lattice,
  latticeOf,
  type Projection,
  type Square,
  type Affine,
  pixelOf,
} from '../../../common/maps/raster/lattice.ts';

/** Equal-area view of Kazakhstan: a hectare has the same size on the screen at 40° and at 55°. Units: metres. */
export const albersOfKazakhstan =
  '+proj=aea +lat_0=48 +lon_0=67 +lat_1=43 +lat_2=53 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs';

/** The two projections that a map is drawn in. */
export type ViewCode = 'KZ:AEA' | 'EPSG:3857';

const words: Readonly<Record<ViewCode, string>> = { 'KZ:AEA': albersOfKazakhstan, 'EPSG:3857': 'EPSG:3857' };
const nowhere = [Number.NaN, Number.NaN] as const;

/**
 * Returns the projection from a view to a CRS, given as a PROJ string or as a code that proj4 knows.
 * @throws if the CRS cannot be read
 */
export function fromView(view: ViewCode, crs: string): Projection {
  const transform = proj4(words[view], crs);
  return (x, y) => {
    try {
      const [toX = Number.NaN, toY = Number.NaN] = transform.forward([x, y]);
      return [toX, toY];
    } catch {
      // proj4 throws for points outside the domain of a projection.
      return nowhere;
    }
  };
}

/** Returns true if the coordinates of a CRS, as `crsOf` names it, are degrees. */
export const isInDegrees = (crs: string) => crs === 'EPSG:4326' || /\+proj=(?:longlat|latlong)\b/.test(crs);

/** EPSG codes that proj4 knows without a definition. */
const known = new Set([4326, 3857]);

/** The CRS of a raster for `fromView`: the PROJ string of the service, or the code of the file. */
export function crsOf(words: string | undefined, epsg: number | undefined): string | undefined {
  if (words !== undefined) return words;
  return epsg !== undefined && known.has(epsg) ? `EPSG:${epsg}` : undefined;
}

/** The position of a raster on a map. */
export interface RasterPlace {
  /** The corners of a tile's cells, in pixels of the raster. */
  readonly lattice: (view: ViewCode, square: Square) => Lattice;
  /** The pixel at a point of the view: column and row as integers; NaN outside the domain. */
  readonly pixel: (view: ViewCode, x: number, y: number) => readonly [number, number];
}

/** The georeference of a raster. */
export interface PlaceFacts {
  readonly width: number;
  readonly height: number;
  readonly affine: Affine | undefined;
  /** EPSG code of the file's own keys. */
  readonly epsg: number | undefined;
}

/** The position of a raster; undefined if it is not known. `proj` is the CRS as a PROJ string, if the service has given it. */
export function placeOf(facts: PlaceFacts, proj: string | undefined): RasterPlace | undefined {
  const { affine } = facts;
  const crs = crsOf(proj, facts.epsg);
  if (affine === undefined || crs === undefined) return undefined;
  const projections = new Map<ViewCode, Projection>();
  const projectionOf = (view: ViewCode) => {
    const known = projections.get(view) ?? fromView(view, crs);
    projections.set(view, known);
    return known;
  };
  const middle = isInDegrees(crs) ? middleOf(facts, affine) : undefined;
  /** Longitudes continue beyond 180° on the side of the raster, without a jump within a square. */
  const continued = (project: Projection, x: number, y: number): Projection => {
    if (middle === undefined) return project;
    const near = nearTo(project(x, y)[0], middle);
    return (x, y) => {
      const [lon, lat] = project(x, y);
      return [nearTo(lon, near), lat];
    };
  };
  return {
    lattice(view, square) {
      const half = square.span / 2;
      const project = continued(projectionOf(view), square.left + half, square.top - half);
      return latticeOf(square, project, affine);
    },
    pixel(view, x, y) {
      const [column, row] = pixelOf(affine, ...continued(projectionOf(view), x, y)(x, y));
      return [Math.floor(column), Math.floor(row)];
    },
  };
}

/** The longitude of the centre of a raster, in degrees. */
function middleOf({ width, height }: PlaceFacts, { x0, dxColumn, dxRow }: Affine): number {
  return x0 + (dxColumn * width + dxRow * height) / 2;
}

/** Shifts a longitude by whole turns to within half a turn of another. */
function nearTo(lon: number, other: number): number {
  const turns = (other - lon) / 360;
  return Math.abs(turns) > 0.5 + 1e-9 ? lon + 360 * Math.round(turns) : lon;
}
