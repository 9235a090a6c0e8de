import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import gdal from 'gdal-async';
import { systemProjFolder } from '../child-program.ts';
import type { DatumShift } from '../findings.ts';
import { quietly } from './last-error.ts';
import { createTransformationToWgs84, type Place, spheroid, transformPoint } from './transformation.ts';

/** A millimetre: an operation whose positions differ by more was not used. */
const sameDegrees = 1e-8;
const arcSecondsPerRadian = (180 / Math.PI) * 3600;
/** Methods of seven parameters with the opposite sign of rotations (coordinate frame): geocentric, of degrees, and with heights. */
const frameRotations = new Set([1032, 1038, 9607]);
/** All methods whose parameters a PROJ string can express. */
const simpleMethods = new Set([1031, 1033, 1035, 1037, 9603, 9606, ...frameRotations]);

/** An operation of PROJ's database from one datum to another, with parameters in SI units, or with a grid. */
interface Operation {
  readonly code: string;
  readonly name: string;
  readonly accuracy: number | null;
  readonly method: number | null;
  readonly parameters: readonly (number | null)[];
  readonly grid: string | null;
}

/**
 * Finds the operation by which GDAL brings coordinates of a CRS to WGS 84, by its result: GDAL does not tell its choice.
 * @param places on the earth, within the data.
 * @returns undefined for a CRS on WGS 84 itself, and if no known operation leads to the same positions.
 */
export function datumShiftOf(wkt: string, places: readonly Place[]): DatumShift | undefined {
  return quietly(() => findShift(wkt, places));
}

function findShift(wkt: string, places: readonly Place[]): DatumShift | undefined {
  const datum = gdal.SpatialReference.fromWKT(wkt).cloneGeogCS();
  const datumWkt = datum.toWKT();
  if (/TOWGS84\[|EXTENSION\["PROJ4_GRIDS"/.test(datumWkt)) return ownParameters();
  quietly(() => datum.autoIdentifyEPSG());
  // The binding returns null for absent text, although its types do not say so.
  const code: unknown = datum.getAuthorityCode('GEOGCS');
  const [first] = places;
  if (typeof code !== 'string' || code === '4326' || first === undefined) return undefined;
  const folders = [...(gdal.config.get('PROJ_DATA') ?? '').split(':').filter(Boolean), systemProjFolder];
  const path = folders.map((folder) => join(folder, 'proj.db')).find((each) => existsSync(each));
  if (path === undefined) return undefined;
  using database = new DatabaseSync(path, { readOnly: true });
  const isThere = ({ grid }: Operation) =>
    grid !== null && folders.some((folder) => existsSync(join(folder, grid)));
  const operations = operationsToWgs84(database, Number(code), first);
  const moved = positionsOf({ wkt: datumWkt }, places);
  const simple = operations.find((each) => areSame(moved, positionsBy(each, datum, places)));
  const used = simple ?? (areSame(moved, places) ? undefined : mostAccurate(operations.filter(isThere)));
  if (used === undefined) return undefined;
  const others = mostAccurate(
    gridsNearWgs84(database, Number(code), first).filter((each) => isBetter(each, used)),
  );
  return {
    operation: used.code,
    name: used.name,
    accuracy_m: used.accuracy,
    better: others?.grid
      ? { operation: others.code, name: others.name, accuracy_m: others.accuracy, grid: others.grid }
      : null,
  };
}

/** The file itself states the parameters; how accurate they are is not known. */
function ownParameters(): DatumShift {
  return { operation: null, name: null, accuracy_m: null, better: null };
}

function operationsToWgs84(
  database: DatabaseSync,
  from: number,
  [longitude, latitude]: Place,
): readonly Operation[] {
  const rows = database
    .prepare(
      `select h.auth_name || ':' || h.code as code, h.name, h.accuracy, h.method_code as method, null as grid,
        h.tx * t.conv_factor as p0, h.ty * t.conv_factor as p1, h.tz * t.conv_factor as p2, h.rx * r.conv_factor as p3,
        h.ry * r.conv_factor as p4, h.rz * r.conv_factor as p5, h.scale_difference * s.conv_factor as p6
      from helmert_transformation_table h ${covering('helmert_transformation', 'h')}
        join unit_of_measure t on (t.auth_name, t.code) = (h.translation_uom_auth_name, h.translation_uom_code)
        left join unit_of_measure r on (r.auth_name, r.code) = (h.rotation_uom_auth_name, h.rotation_uom_code)
        left join unit_of_measure s on (s.auth_name, s.code) = (h.scale_difference_uom_auth_name, h.scale_difference_uom_code)
      where h.source_crs_auth_name = 'EPSG' and h.source_crs_code = :from and h.target_crs_auth_name = 'EPSG' and h.target_crs_code = 4326
        and h.deprecated = 0 and h.epoch is null
      order by h.accuracy is null, h.accuracy, h.code`,
    )
    .all({ from, longitude, latitude });
  return [...rows.map(operationOf), ...gridsToWgs84(database, from, [longitude, latitude])];
}

/** Operations with grids to WGS 84. */
function gridsToWgs84(database: DatabaseSync, from: number, place: Place): readonly Operation[] {
  return gridOperations(database, from, place, "('4326')");
}

/** Operations with grids to WGS 84, or to a datum that is the same within a metre. */
function gridsNearWgs84(database: DatabaseSync, from: number, place: Place): readonly Operation[] {
  return gridOperations(
    database,
    from,
    place,
    `(select '4326' union select source_crs_code from helmert_transformation_table where source_crs_auth_name = 'EPSG'
      and target_crs_auth_name = 'EPSG' and target_crs_code = 4326 and accuracy <= 1 and deprecated = 0
      and max(abs(tx), abs(ty), abs(tz)) = 0)`,
  );
}

/** @param targets codes of systems, as an SQL list. */
function gridOperations(
  database: DatabaseSync,
  from: number,
  [longitude, latitude]: Place,
  targets: string,
): readonly Operation[] {
  const rows = database
    .prepare(
      `select g.auth_name || ':' || g.code as code, g.name, g.accuracy, null as method, coalesce(a.proj_grid_name, g.grid_name) as grid
      from grid_transformation g ${covering('grid_transformation', 'g')}
        left join grid_alternatives a on a.original_grid_name = g.grid_name
      where g.source_crs_auth_name = 'EPSG' and g.source_crs_code = :from and g.target_crs_auth_name = 'EPSG'
        and g.target_crs_code in ${targets} and g.deprecated = 0`,
    )
    .all({ from, longitude, latitude });
  return rows.map(operationOf);
}

/** Joins the area of an operation, which contains a place. */
function covering(table: string, alias: string): string {
  return `join usage u on u.object_table_name = '${table}' and u.object_auth_name = ${alias}.auth_name and u.object_code = ${alias}.code
    join extent e on (e.auth_name, e.code) = (u.extent_auth_name, u.extent_code)
      and :latitude between e.south_lat and e.north_lat and (:longitude between e.west_lon and e.east_lon
        or (e.west_lon > e.east_lon and (:longitude >= e.west_lon or :longitude <= e.east_lon)))`;
}

function operationOf(row: Readonly<Record<string, unknown>>): Operation {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  const { code, name, accuracy, method, grid } = row;
  return {
    code: String(code),
    name: String(name),
    accuracy: numberOf(accuracy),
    method: numberOf(method),
    parameters: [0, 1, 2, 3, 4, 5, 6].map((index) => numberOf(row[`p${index}`])),
    grid: typeof grid === 'string' ? grid : null,
  };
}

/** Positions on WGS 84 by the parameters of an operation; none if a PROJ string cannot express it. */
function positionsBy(
  { method, parameters }: Operation,
  datum: gdal.SpatialReference,
  places: readonly Place[],
): readonly Place[] {
  if (method === null || !simpleMethods.has(method)) return [];
  const sign = frameRotations.has(method) ? -1 : 1;
  const [x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0, scale = 0] = parameters.map((value) => value ?? 0);
  const rotations = [rx, ry, rz].map((radians) => sign * radians * arcSecondsPerRadian);
  const [, axis, flattening] = spheroid.exec(datum.toWKT()) ?? [];
  const shape = Number(flattening) === 0 ? `+R=${axis}` : `+a=${axis} +rf=${flattening}`;
  const others = datum.toProj4().replaceAll(/\+(?:towgs84|datum|nadgrids|ellps|a|b|rf|R)=\S+/g, '');
  const words = `${others} ${shape} +towgs84=${[x, y, z, ...rotations, scale * 1e6].join()}`;
  return positionsOf({ proj: words }, places);
}

function positionsOf(
  crs: Parameters<typeof createTransformationToWgs84>[0],
  places: readonly Place[],
): readonly Place[] {
  const transformation = createTransformationToWgs84(crs);
  return places.map(([longitude, latitude]) => transformPoint(transformation, longitude, latitude));
}

function areSame(ones: readonly Place[], others: readonly Place[]): boolean {
  if (others.length === 0) return false;
  return ones.every(([longitude, latitude], index) => {
    const [otherLongitude, otherLatitude] = others[index] ?? [Number.NaN, Number.NaN];
    return Math.max(Math.abs(longitude - otherLongitude), Math.abs(latitude - otherLatitude)) <= sameDegrees;
  });
}

function isBetter(one: Operation, other: Operation): boolean {
  return one.accuracy !== null && (other.accuracy === null || one.accuracy < other.accuracy);
}

function mostAccurate(operations: readonly Operation[]): Operation | undefined {
  return operations.toSorted((one, other) => (one.accuracy ?? Infinity) - (other.accuracy ?? Infinity))[0];
}
