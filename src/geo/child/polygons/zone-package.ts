import { DatabaseSync } from 'node:sqlite';
import {
  epsg,
  geometryHeadBytes,
  indexTables,
  indexTriggers,
  packageHeader,
  packageTables,
  writeGeometryHead,
} from '../../geopackage/layout.ts';

/** Attributes of a zone in the order of the columns. */
export interface ZoneAttributes {
  readonly zone: string | null;
  readonly sector: number | null;
  readonly S: number | null;
  readonly E: number | null;
  readonly code: number;
  readonly title_en: string | null;
  readonly title_ru: string | null;
  readonly title_kk: string | null;
  readonly kato: string | null;
  readonly name: string | null;
  readonly ha_polygon: number;
  readonly ha_pixels: number;
}

/** Writes a GeoPackage with one layer of polygons in longitude and latitude. */
export interface ZonePackage {
  /** @param rings longitude, latitude of each position, closed; outer ring first */
  add(rings: readonly Float64Array[], attributes: ZoneAttributes): void;
  finish(): void;
}

interface About {
  readonly layer: string;
  readonly description: string;
  /** Time in the file, so that the same zones give the same bytes. */
  readonly changedAt: string;
}

const layerOfZones = { table: 'zones', fid: 'fid', geometry: 'geom' };
const zones = `
  create table zones (fid INTEGER primary key autoincrement not null, geom POLYGON,
    zone TEXT, sector INTEGER, "S" INTEGER, "E" INTEGER, code INTEGER not null, title_en TEXT, title_ru TEXT, title_kk TEXT,
    kato TEXT(9), name TEXT, ha_polygon DOUBLE not null, ha_pixels DOUBLE not null);`;

export function createZonePackage(path: string, { layer, description, changedAt }: About): ZonePackage {
  const database = new DatabaseSync(path, { allowExtension: false });
  database.exec(packageHeader);
  database.exec(`begin; ${packageTables} ${zones} ${indexTables(layerOfZones)}`);
  const addZone = database.prepare(
    `insert into zones (geom, zone, sector, "S", "E", code, title_en, title_ru, title_kk, kato, name, ha_polygon, ha_pixels)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addPlace = database.prepare('insert into rtree_zones_geom values (?, ?, ?, ?, ?)');
  const all = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  return {
    add(
      rings,
      { zone, sector, S, E, code, title_en, title_ru, title_kk, kato, name, ha_polygon, ha_pixels },
    ) {
      const box = ringBox(rings[0] ?? new Float64Array());
      all.minX = Math.min(all.minX, box.minX);
      all.minY = Math.min(all.minY, box.minY);
      all.maxX = Math.max(all.maxX, box.maxX);
      all.maxY = Math.max(all.maxY, box.maxY);
      const geometry = encode(rings, box);
      const { lastInsertRowid: fid } = addZone.run(
        geometry,
        zone,
        sector,
        S,
        E,
        code,
        title_en,
        title_ru,
        title_kk,
        kato,
        name,
        ha_polygon,
        ha_pixels,
      );
      addPlace.run(fid, box.minX, box.maxX, box.minY, box.maxY);
    },
    finish() {
      database
        .prepare(`insert into gpkg_contents values ('zones', 'features', ?, ?, ?, ?, ?, ?, ?, ${epsg})`)
        .run(layer, description, changedAt, ...Object.values(all));
      database.exec(
        `insert into gpkg_geometry_columns values ('zones', 'geom', 'POLYGON', ${epsg}, 0, 0); ${indexTriggers(layerOfZones)} commit;`,
      );
      database.close();
    },
  };
}

interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

function ringBox(ring: Float64Array): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const [x = NaN, y = NaN] = [ring[i], ring[i + 1]];
    [minX, minY, maxX, maxY] = [Math.min(minX, x), Math.min(minY, y), Math.max(maxX, x), Math.max(maxY, y)];
  }
  return { minX, minY, maxX, maxY };
}

const headBytes = geometryHeadBytes + 1 + 4 + 4;
const polygon = 3;

/** Returns a geometry in GeoPackage format: the header with its envelope, then WKB. */
function encode(rings: readonly Float64Array[], { minX, minY, maxX, maxY }: Box): Uint8Array {
  const size = rings.reduce((sum, ring) => sum + 4 + ring.byteLength, headBytes);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  writeGeometryHead(bytes, [minX, minY, maxX, maxY]);
  view.setUint8(40, 1);
  view.setUint32(41, polygon, true);
  view.setUint32(45, rings.length, true);
  let at = headBytes;
  for (const ring of rings) {
    view.setUint32(at, ring.length / 2, true);
    at += 4;
    for (const value of ring) {
      view.setFloat64(at, value, true);
      at += 8;
    }
  }
  return bytes;
}
