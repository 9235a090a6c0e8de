import gdal, { type CoordinateTransformation } from 'gdal-async';
import { Problem } from '../../../errors.ts';
import { readCrsMember } from '../../geojson/crs-member.ts';
import type { Parts } from '../../geojson/parts.ts';
import { createTransformationToWgs84 } from '../transformation.ts';
import { decodeParts, encodeParts } from './wkb.ts';

/** Takes parts to longitude and latitude. @throws {Problem} when they have no place there; `where` names their feature. */
export type ToWgs84 = (parts: Parts, where: string) => Parts;

/** Rounding of whoever wrote the file may put a coordinate this far beyond the edge of the world. */
const edgeDegrees = 1e-6;

/**
 * How the coordinates of a file get to WGS 84, by its old `crs` member: moved when that names a system of PROJ's, else
 * taken as longitude and latitude if they can be.
 */
export function chooseReferenceSystem(crsMember: Buffer | undefined): ToWgs84 {
  const crs = readCrsMember(crsMember);
  const transformation = crs.kind === 'epsg' ? transformationFrom(crs.code) : undefined;
  if (transformation === undefined) {
    const reason =
      crs.kind === 'wgs84'
        ? 'GeoJSON is in longitude and latitude (WGS 84); reproject it to EPSG:4326'
        : 'its "crs" member is not one that is understood here; reproject it to WGS 84 (EPSG:4326)';
    return (parts, where) => onEarth(parts, where, reason);
  }
  return (parts, where) =>
    onEarth(moved(parts, transformation, where), where, 'its "crs" member does not fit them');
}

/** Absent for a number that PROJ does not know, or that is no system of places on the earth. */
function transformationFrom(code: number): CoordinateTransformation | undefined {
  try {
    const srs = gdal.SpatialReference.fromEPSG(code);
    return srs.isGeographic() || srs.isProjected() ? createTransformationToWgs84({ epsg: code }) : undefined;
  } catch {
    return undefined;
  }
}

function moved(parts: Parts, transformation: CoordinateTransformation, where: string): Parts {
  const geometry = gdal.Geometry.fromWKB(encodeParts(parts));
  try {
    geometry.transform(transformation);
  } catch (cause) {
    throw new Problem(
      'invalid',
      `The coordinates of ${where} do not fit the coordinate reference system that the file names; correct its "crs" member and upload it again.`,
      { cause },
    );
  }
  return decodeParts(geometry.toWKB('LSB'));
}

function onEarth(parts: Parts, where: string, reason: string): Parts {
  const check = (positions: readonly number[]) => {
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const [lon, lat] = [positions[i] ?? 0, positions[i + 1] ?? 0];
      if (Math.abs(lon) <= 180 + edgeDegrees && Math.abs(lat) <= 90 + edgeDegrees) continue;
      throw new Problem(
        'invalid',
        `The coordinate ${lon}, ${lat} of ${where} is no longitude and latitude: ${reason}.`,
      );
    }
  };
  check(parts.points);
  parts.lines.forEach(check);
  parts.polygons.flat().forEach(check);
  return parts;
}
