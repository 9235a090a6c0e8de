import { DatabaseSync } from 'node:sqlite';

/** The attributes of a zone, in the order of the columns. */
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
  /** @param rings longitude, latitude of one position after the other, closed; the outer one first */
  add(rings: readonly Float64Array[], attributes: ZoneAttributes): void;
  finish(): void;
}

interface About {
  readonly layer: string;
  readonly description: string;
  /** Goes into the file, so that the same zones have the same bytes. */
  readonly changedAt: string;
}

const epsg = 4326;
const wgs84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],' +
  'AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],' +
  'UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]';

/** Version 1.2 of the standard: "GPKG" and 10200. */
const header = `
  pragma page_size = 4096; pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
  pragma application_id = 1196444487; pragma user_version = 10200;`;
const tables = `
  create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer not null primary key,
    organization text not null, organization_coordsys_id integer not null, definition text not null, description text);
  create table gpkg_contents (table_name text not null primary key, data_type text not null, identifier text unique,
    description text default '', last_change datetime not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    min_x double, min_y double, max_x double, max_y double, srs_id integer,
    constraint fk_gc_r_srs_id foreign key (srs_id) references gpkg_spatial_ref_sys(srs_id));
  create table gpkg_geometry_columns (table_name text not null, column_name text not null,
    geometry_type_name text not null, srs_id integer not null, z tinyint not null, m tinyint not null,
    constraint pk_geom_cols primary key (table_name, column_name), constraint uk_gc_table_name unique (table_name),
    constraint fk_gc_tn foreign key (table_name) references gpkg_contents(table_name),
    constraint fk_gc_srs foreign key (srs_id) references gpkg_spatial_ref_sys (srs_id));
  create table zones (fid integer primary key autoincrement not null, geom polygon,
    zone text, sector integer, "S" integer, "E" integer, code integer not null, title_en text, title_ru text, title_kk text,
    kato text(9), name text, ha_polygon double not null, ha_pixels double not null);
  create table gpkg_extensions (table_name text, column_name text, extension_name text not null, definition text not null,
    scope text not null, constraint ge_tce unique (table_name, column_name, extension_name));
  create virtual table rtree_zones_geom using rtree(id, minx, maxx, miny, maxy);`;
const spatialIndex = [
  'zones',
  'geom',
  'gpkg_rtree_index',
  'http://www.geopackage.org/spec120/#extension_rtree',
  'write-only',
] as const;
const entry = 'new.fid, ST_MinX(new.geom), ST_MaxX(new.geom), ST_MinY(new.geom), ST_MaxY(new.geom)';
const put = `insert or replace into rtree_zones_geom values (${entry});`;
const remove = 'delete from rtree_zones_geom where id = old.fid;';
const [hasPlace, hasNone] = [
  '(new.geom notnull and not ST_IsEmpty(new.geom))',
  '(new.geom isnull or ST_IsEmpty(new.geom))',
];
/** Those of the standard keep the index when others edit the file; their functions are theirs, so that they come after the rows. */
const triggers = `
  create trigger rtree_zones_geom_insert after insert on zones when ${hasPlace} begin ${put} end;
  create trigger rtree_zones_geom_update1 after update of geom on zones when old.fid = new.fid and ${hasPlace} begin ${put} end;
  create trigger rtree_zones_geom_update2 after update of geom on zones when old.fid = new.fid and ${hasNone} begin ${remove} end;
  create trigger rtree_zones_geom_update3 after update on zones when old.fid != new.fid and ${hasPlace} begin ${remove} ${put} end;
  create trigger rtree_zones_geom_update4 after update on zones when old.fid != new.fid and ${hasNone}
    begin delete from rtree_zones_geom where id in (old.fid, new.fid); end;
  create trigger rtree_zones_geom_delete after delete on zones when old.geom notnull begin ${remove} end;`;

export function createZonePackage(path: string, { layer, description, changedAt }: About): ZonePackage {
  const database = new DatabaseSync(path, { allowExtension: false });
  database.exec(header);
  database.exec(`begin; ${tables}`);
  const addSystem = database.prepare('insert into gpkg_spatial_ref_sys values (?, ?, ?, ?, ?, ?)');
  addSystem.run('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian coordinates');
  addSystem.run('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinates');
  addSystem.run('WGS 84 geodetic', epsg, 'EPSG', epsg, wgs84, 'longitude and latitude in degrees');
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
      const box = boxOf(rings[0] ?? new Float64Array());
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
      database.prepare('insert into gpkg_extensions values (?, ?, ?, ?, ?)').run(...spatialIndex);
      database.exec(
        `insert into gpkg_geometry_columns values ('zones', 'geom', 'POLYGON', ${epsg}, 0, 0); ${triggers} commit;`,
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

function boxOf(ring: Float64Array): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const [x = NaN, y = NaN] = [ring[i], ring[i + 1]];
    [minX, minY, maxX, maxY] = [Math.min(minX, x), Math.min(minY, y), Math.max(maxX, x), Math.max(maxY, y)];
  }
  return { minX, minY, maxX, maxY };
}

/** Little-endian, with an envelope of two dimensions. */
const flags = 0b0000_0011;
const headBytes = 8 + 4 * 8 + 1 + 4 + 4;
const polygon = 3;

/** Returns a cell of a GeoPackage: its header with the envelope, then WKB. */
function encode(rings: readonly Float64Array[], { minX, minY, maxX, maxY }: Box): Uint8Array {
  const size = rings.reduce((sum, ring) => sum + 4 + ring.byteLength, headBytes);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set([0x47, 0x50, 0, flags]);
  view.setInt32(4, epsg, true);
  for (const [i, value] of [minX, maxX, minY, maxY].entries()) view.setFloat64(8 + 8 * i, value, true);
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
