import gdal from 'gdal-async';
import { notOnEarth, vectorProblems, vectorWarnings } from '../../../messages/vector/english.ts';
import type { DatumShift, Warning } from '../../findings.ts';
import { warningOf } from '../../gather-findings.ts';
import { type Parts, positionsOf, type SourceCrs } from '../../formats/features/geometry.ts';
import { createAxisOrder } from '../../formats/geojson/open-geojson.ts';
import { nameOfCrs, isDatumUnknown, type Place, type Crs, unitOf } from '../../gdal/transformation.ts';
import { datumShiftOf } from '../../gdal/datum-shift.ts';
import { quietly } from '../../gdal/last-error.ts';
import {
  createReprojection,
  farthestLongitude,
  followDegrees,
  refuseOffEarth,
  type ToWgs84,
  edgeDegrees,
} from './reprojection.ts';
import type { Message } from '../../../lib/message.ts';

/** Maximum longitude of a file in degrees without a CRS. */
const surestLongitude = 360;
/** Maximum number of places for which the datum is examined. */
const maxPlaces = 20;

interface ReferenceSystem {
  readonly toWgs84: ToWgs84;
  /** `EPSG:n`, `ESRI:n`, or else WKT; null if the file has no CRS. */
  readonly name: string | null;
  /** Assumptions, and warnings about the coordinates so far. */
  warnings(): readonly Warning[];
  /** Shift between the datum of the file and WGS 84 at the places so far; undefined without a CRS, and for one on WGS 84. */
  shift(): DatumShift | undefined;
}

/**
 * Chooses the transformation of a file to WGS 84: from its CRS, or as longitude and latitude if its coordinates allow that.
 * @throws {Problem} if its CRS cannot be transformed to WGS 84.
 */
export function chooseReferenceSystem(crs: SourceCrs): ReferenceSystem {
  switch (crs.kind) {
    case 'wgs84':
      return {
        name: 'EPSG:4326',
        ...asLongitudeLatitude(notOnEarth.geoJson(), crs.isNamed ? farthestLongitude : surestLongitude),
      };
    case 'epsg': {
      const system = reprojectionFromEpsg(crs.code);
      return system === undefined ? withoutCrsMember() : { name: `EPSG:${crs.code}`, ...system };
    }
    case 'esri': {
      const name = `ESRI:${crs.code}`;
      const wkt = quietly(() => gdal.SpatialReference.fromUserInput(name).toWKT());
      return wkt === undefined ? withoutCrsMember() : { name, ...reprojectionFromWkt(wkt) };
    }
    case 'wkt':
      return { name: nameOfCrs(crs.wkt), ...reprojectionFromWkt(crs.wkt) };
    case 'none':
      return assumedWgs84(
        crs.remedy,
        warningOf(
          'crs_assumed',
          crs.isStated ? vectorWarnings.prjNotUnderstood() : vectorWarnings.crsAssumed(),
        ),
      );
    default:
      return withoutCrsMember();
  }
}

function withoutCrsMember(): ReferenceSystem {
  const warning = warningOf('crs_member_ignored', vectorWarnings.crsMemberIgnored());
  return assumedWgs84(notOnEarth.ignoredMember(), warning);
}

function assumedWgs84(remedy: Message, warning: Warning): ReferenceSystem {
  const { toWgs84, warnings, shift } = asLongitudeLatitude(remedy, surestLongitude);
  return { name: null, toWgs84, warnings: () => [warning, ...warnings()], shift };
}

type Way = Omit<ReferenceSystem, 'name'>;

/** Returns undefined for a number that PROJ does not know, or that is not a CRS of the earth. */
function reprojectionFromEpsg(epsg: number): Way | undefined {
  return quietly(() => {
    const srs = gdal.SpatialReference.fromEPSG(epsg);
    if (!srs.isGeographic() && !srs.isProjected()) return undefined;
    return reprojected({ epsg }, srs, createReprojection({ epsg }, 'member'));
  });
}

function reprojectionFromWkt(wkt: string): Way {
  try {
    const srs = gdal.SpatialReference.fromWKT(wkt);
    return reprojected({ wkt }, srs, createReprojection({ wkt }, 'file'));
  } catch (cause) {
    throw vectorProblems.noTransformation().because(cause);
  }
}

function reprojected(crs: Crs, srs: gdal.SpatialReference, reproject: ToWgs84): Way {
  const { degrees } = unitOf(crs);
  const watch = createDegreesWatch();
  const places: Place[] = [];
  return {
    toWgs84(parts, where) {
      if (degrees !== undefined) watch.observe(parts, where, degrees);
      const onEarth = reproject(parts, where);
      const place = places.length < maxPlaces ? firstPlace(onEarth) : undefined;
      if (place !== undefined) places.push(place);
      return onEarth;
    },
    shift: () => datumShiftOf(srs.toWKT(), places),
    warnings: () => [
      ...watch.warnings(),
      ...(places.length > 0 && isDatumUnknown(srs.toWKT(), places)
        ? [warningOf('datum_unknown', vectorWarnings.datumUnknown())]
        : []),
    ],
  };
}

function firstPlace(parts: Parts): Place | undefined {
  const [longitude, latitude] = positionsOf(parts).find(({ length }) => length > 0) ?? [];
  return longitude === undefined || latitude === undefined ? undefined : [longitude, latitude];
}

/** @param farthest maximum longitude in degrees. */
function asLongitudeLatitude(reason: Message, farthest: number): Way {
  const order = createAxisOrder();
  const watch = createDegreesWatch();
  return {
    toWgs84(parts, where) {
      order.observe(parts);
      refuseOffEarth(parts, farthest, where, order.mayBeLatitudeFirst() ? notOnEarth.swapped() : reason);
      watch.observe(parts, where);
      return followDegrees(parts);
    },
    warnings: watch.warnings,
    shift: () => undefined,
  };
}

/** Box around the districts of Kazakhstan in seeds/districts, rounded outwards. */
const districtsBox = { west: 46.4, south: 40.5, east: 87.4, north: 55.5 };

/** Observes the coordinates of a file in degrees, and reports warnings. */
function createDegreesWatch() {
  const turned = { features: 0, first: '' };
  let [positions, mayBeSwapped] = [0, true];
  return {
    /** @param unit degrees per unit of the file. */
    observe(parts: Parts, where: string, unit = 1): void {
      let isTurned = false;
      for (const each of positionsOf(parts)) {
        for (let i = 0; i + 1 < each.length; i += 2) {
          const [x, y] = [(each[i] ?? 0) * unit, (each[i + 1] ?? 0) * unit];
          positions += 1;
          isTurned ||= Math.abs(x) > 180 + edgeDegrees;
          mayBeSwapped &&= isInBox(y, x) && !isInBox(x, y);
        }
      }
      if (!isTurned) return;
      turned.features += 1;
      if (turned.features === 1) turned.first = where;
    },
    warnings(): readonly Warning[] {
      const { features, first } = turned;
      return [
        ...(features > 0
          ? [warningOf('longitudes_turned', vectorWarnings.longitudesTurned(features, first))]
          : []),
        ...(positions > 0 && mayBeSwapped
          ? [warningOf('axes_maybe_swapped', vectorWarnings.axesMaybeSwapped())]
          : []),
      ];
    },
  };
}

function isInBox(longitude: number, latitude: number): boolean {
  const { west, south, east, north } = districtsBox;
  return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
}
