import gdal from 'gdal-async';
import { notOnEarth, vectorProblems, vectorWarnings } from '../../../messages/vector.ts';
import type { Warning } from '../../findings.ts';
import type { Parts } from '../../formats/features/geometry.ts';
import type { SourceCrs } from '../../formats/features/vector-file.ts';
import { createAxisOrder, swappedAxes } from '../../formats/geojson/axis-order.ts';
import { nameOfCrs } from '../../gdal/crs.ts';
import { createReprojection, edgeDegrees, positionsOf, type ToWgs84 } from './reproject.ts';

export interface ReferenceSystem {
  readonly toWgs84: ToWgs84;
  /** `EPSG:n`, else WKT; null when the file does not say. */
  readonly name: string | null;
  /** Tells what had to be assumed. */
  readonly warning?: Warning;
}

/**
 * Chooses how the coordinates of a file get to WGS 84: reprojected when it names a system, else taken as longitude and
 * latitude if they can be.
 * @throws {Problem} when its system cannot be transformed to WGS 84.
 */
export function chooseReferenceSystem(crs: SourceCrs): ReferenceSystem {
  switch (crs.kind) {
    case 'wgs84':
      return { name: 'EPSG:4326', toWgs84: asLongitudeLatitude(notOnEarth.geoJson()) };
    case 'epsg': {
      const toWgs84 = reprojectionFromEpsg(crs.code);
      return toWgs84 === undefined ? withoutCrsMember() : { name: `EPSG:${crs.code}`, toWgs84 };
    }
    case 'wkt':
      return { name: nameOfCrs(crs.wkt), toWgs84: reprojectionFromWkt(crs.wkt) };
    case 'none':
      return {
        name: null,
        toWgs84: asLongitudeLatitude(crs.remedy),
        warning: { code: 'crs_assumed', message: vectorWarnings.crsAssumed() },
      };
    default:
      return withoutCrsMember();
  }
}

function withoutCrsMember(): ReferenceSystem {
  return {
    name: null,
    toWgs84: asLongitudeLatitude(notOnEarth.ignoredMember()),
    warning: { code: 'crs_member_ignored', message: vectorWarnings.crsMemberIgnored() },
  };
}

/** Returns undefined for a number that PROJ does not know, or that is no system of places on the earth. */
function reprojectionFromEpsg(code: number): ToWgs84 | undefined {
  try {
    const srs = gdal.SpatialReference.fromEPSG(code);
    if (!srs.isGeographic() && !srs.isProjected()) return undefined;
    const reproject = createReprojection({ epsg: code }, 'member');
    return (parts, where) => onEarth(reproject(parts, where), where, notOnEarth.wrongCrs('member'));
  } catch {
    return undefined;
  }
}

function reprojectionFromWkt(wkt: string): ToWgs84 {
  try {
    const reproject = createReprojection({ wkt }, 'file');
    return (parts, where) => onEarth(reproject(parts, where), where, notOnEarth.wrongCrs('file'));
  } catch (cause) {
    throw vectorProblems.noTransformation().because(cause);
  }
}

function asLongitudeLatitude(reason: string): ToWgs84 {
  const order = createAxisOrder();
  return (parts, where) => {
    order.look(parts);
    return onEarth(parts, where, order.mayBeLatitudeFirst() ? swappedAxes : reason);
  };
}

/** @throws {Problem} when a coordinate is no longitude and latitude, for the `reason` given. */
function onEarth(parts: Parts, where: string, reason: string): Parts {
  for (const positions of positionsOf(parts)) {
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const [lon, lat] = [positions[i] ?? 0, positions[i + 1] ?? 0];
      if (Math.abs(lon) <= 180 + edgeDegrees && Math.abs(lat) <= 90 + edgeDegrees) continue;
      if (Number.isNaN(lon) || Number.isNaN(lat)) throw vectorProblems.notANumber(where);
      throw vectorProblems.notOnEarth(`${lon}, ${lat}`, where, reason);
    }
  }
  return parts;
}
