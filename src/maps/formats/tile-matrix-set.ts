import {
  denominatorOf,
  halfWorld,
  type Tile,
  worldX,
  worldY,
} from '../../../common/maps/raster/web-mercator.ts';
import { wholeBounds } from './tile-json.ts';

/** The only tile matrix set, by its name in OGC's register. */
export const matrixSet = {
  id: 'WebMercatorQuad',
  uri: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad',
  crs: 'http://www.opengis.net/def/crs/EPSG/0/3857',
} as const;

const tileSize = 256;
const lastZoom = 24;

/** Returns WebMercatorQuad as JSON of OGC's Two Dimensional Tile Matrix Set 2.0 (17-083r4, annex D). */
export function webMercatorQuad() {
  return {
    id: matrixSet.id,
    title: 'Google Maps Compatible for the World',
    uri: matrixSet.uri,
    crs: matrixSet.crs,
    orderedAxes: ['X', 'Y'],
    wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
    tileMatrices: Array.from({ length: lastZoom + 1 }, (_, zoom) => ({
      id: String(zoom),
      scaleDenominator: denominatorOf(zoom),
      cellSize: (2 * halfWorld) / tileSize / 2 ** zoom,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [-halfWorld, halfWorld],
      tileWidth: tileSize,
      tileHeight: tileSize,
      matrixWidth: 2 ** zoom,
      matrixHeight: 2 ** zoom,
    })),
  };
}

/** Extent of a tileset: a box in degrees (west > east across 180°), up to a zoom. */
export interface TileRange {
  /** Undefined for the whole earth. */
  readonly box: readonly [west: number, south: number, east: number, north: number] | undefined;
  readonly maxZoom: number;
}

/** Tiles of a tileset at a zoom. */
export interface TileLimits {
  readonly tileMatrix: string;
  readonly minTileRow: number;
  readonly maxTileRow: number;
  readonly minTileCol: number;
  readonly maxTileCol: number;
}

/** Lists the tiles of a tileset at each zoom. */
export function tileLimits({ box, maxZoom }: TileRange): TileLimits[] {
  return Array.from({ length: maxZoom + 1 }, (_, zoom) => limitsAt(box, zoom));
}

/** Returns true if a tileset contains a tile. */
export function hasTile({ box, maxZoom }: TileRange, { z: zoom, x, y }: Tile): boolean {
  if (zoom > maxZoom) return false;
  const { minTileRow, maxTileRow, minTileCol, maxTileCol } = limitsAt(box, zoom);
  return x >= minTileCol && x <= maxTileCol && y >= minTileRow && y <= maxTileRow;
}

/** Boxes are rounded: up to a pixel beyond an edge counts as inside. */
const slack = 1 / tileSize;

function limitsAt(box: TileRange['box'], zoom: number): TileLimits {
  const count = 2 ** zoom;
  const [west, south, east, north] = box === undefined ? [-180, -90, 180, 90] : wholeBounds([...box]);
  const isAround = west < -180 || east > 180;
  const at = (place: number, by: number) => Math.min(count - 1, Math.max(0, Math.floor(place * count + by)));
  return {
    tileMatrix: String(zoom),
    minTileRow: at(worldY(north), -slack),
    maxTileRow: at(worldY(south), slack),
    minTileCol: isAround ? 0 : at(worldX(west), -slack),
    maxTileCol: isAround ? count - 1 : at(worldX(east), slack),
  };
}
