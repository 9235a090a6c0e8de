import gdal from 'gdal-async';
import { notOnEarth, vectorProblems, vectorWarnings } from '../../../messages/vector.ts';
import type { Warning } from '../../findings.ts';
import type { SourceCrs } from '../../formats/features/vector-file.ts';
import { createAxisOrder, swappedAxes } from '../../formats/geojson/axis-order.ts';
import { nameOfCrs } from '../../gdal/crs.ts';
import { quietly } from '../../gdal/last-error.ts';
import {
  createReprojection,
  farthestLongitude,
  followDegrees,
  refuseOffEarth,
  type ToWgs84,
} from './reprojection.ts';

/** Degrees of longitude that leave no doubt in a file that does not name its system. */
const surestLongitude = 180;

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
      return {
        name: 'EPSG:4326',
        toWgs84: asLongitudeLatitude(notOnEarth.geoJson(), crs.isNamed ? farthestLongitude : surestLongitude),
      };
    case 'epsg': {
      const toWgs84 = reprojectionFromEpsg(crs.code);
      return toWgs84 === undefined ? withoutCrsMember() : { name: `EPSG:${crs.code}`, toWgs84 };
    }
    case 'wkt':
      return { name: nameOfCrs(crs.wkt), toWgs84: reprojectionFromWkt(crs.wkt) };
    case 'none':
      return assumedWgs84(crs.remedy, { code: 'crs_assumed', message: vectorWarnings.crsAssumed() });
    default:
      return withoutCrsMember();
  }
}

function withoutCrsMember(): ReferenceSystem {
  const message = vectorWarnings.crsMemberIgnored();
  return assumedWgs84(notOnEarth.ignoredMember(), { code: 'crs_member_ignored', message });
}

function assumedWgs84(remedy: string, warning: Warning): ReferenceSystem {
  return { name: null, toWgs84: asLongitudeLatitude(remedy, surestLongitude), warning };
}

/** Returns undefined for a number that PROJ does not know, or that is no system of places on the earth. */
function reprojectionFromEpsg(epsg: number): ToWgs84 | undefined {
  return quietly(() => {
    const srs = gdal.SpatialReference.fromEPSG(epsg);
    return srs.isGeographic() || srs.isProjected() ? createReprojection({ epsg }, 'member') : undefined;
  });
}

function reprojectionFromWkt(wkt: string): ToWgs84 {
  try {
    return createReprojection({ wkt }, 'file');
  } catch (cause) {
    throw vectorProblems.noTransformation().because(cause);
  }
}

/** @param farthest degrees of longitude that the file may have. */
function asLongitudeLatitude(reason: string, farthest: number): ToWgs84 {
  const order = createAxisOrder();
  return (parts, where) => {
    order.look(parts);
    refuseOffEarth(parts, farthest, where, order.mayBeLatitudeFirst() ? swappedAxes : reason);
    return followDegrees(parts);
  };
}
