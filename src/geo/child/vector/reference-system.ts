import { Problem } from '../../../common/errors.ts';
import type { Warning } from '../../findings.ts';
import { createAxisOrder, swappedAxes } from '../../formats/geojson/axis-order.ts';
import type { Parts } from '../../formats/features/geometry.ts';
import { nameOfCrs } from '../../gdal/crs-name.ts';
import { edgeDegrees, type Move, moved, moveFromEpsg, moveFromWkt, withinOneTurn } from './reproject.ts';
import type { SourceCrs } from '../../formats/features/vector-file.ts';

/** Takes parts to longitude and latitude. @throws {Problem} when they have no place there; `where` names their feature. */
export type ToWgs84 = (parts: Parts, where: string) => Parts;

export interface ReferenceSystem {
  readonly toWgs84: ToWgs84;
  /** `EPSG:n`, else WKT; null when the file does not say. */
  readonly name: string | null;
  /** That something had to be assumed. */
  readonly warning: Warning | undefined;
}

/**
 * How the coordinates of a file get to WGS 84: moved when it names a system, else taken as longitude and latitude if
 * they can be.
 */
export function chooseReferenceSystem(crs: SourceCrs): ReferenceSystem {
  switch (crs.kind) {
    case 'wgs84':
      return asTheyAre(
        'EPSG:4326',
        'GeoJSON is in longitude and latitude (WGS 84); reproject it to EPSG:4326',
      );
    case 'epsg': {
      const move = moveFromEpsg(crs.code);
      if (move === undefined) return ignoredMember();
      return movedBy(move, `EPSG:${crs.code}`, 'its "crs" member');
    }
    case 'wkt':
      return movedBy(moveFromWkt(crs.wkt), nameOfCrs(crs.wkt), 'its coordinate reference system');
    case 'none':
      return {
        ...asTheyAre(null, crs.remedy),
        warning: {
          code: 'crs_assumed',
          message:
            'The file does not say in which coordinate reference system it is; as all its coordinates fit, they were taken as longitude and latitude (WGS 84).',
        },
      };
    default:
      return ignoredMember();
  }
}

function asTheyAre(name: string | null, reason: string): ReferenceSystem {
  const order = createAxisOrder();
  const toWgs84: ToWgs84 = (parts, where) => {
    order.look(parts);
    return onEarth(parts, where, order.mayBeLatitudeFirst() ? swappedAxes : reason);
  };
  return { toWgs84, name, warning: undefined };
}

function movedBy(move: Move, name: string, what: string): ReferenceSystem {
  return {
    toWgs84: (parts, where) =>
      onEarth(withinOneTurn(moved(parts, move, { where, what })), where, `${what} does not fit them`),
    name,
    warning: undefined,
  };
}

function ignoredMember(): ReferenceSystem {
  const reason = 'its "crs" member is not one that is understood here; reproject it to WGS 84 (EPSG:4326)';
  return {
    ...asTheyAre(null, reason),
    warning: {
      code: 'crs_member_ignored',
      message:
        'The "crs" member of the file is not one that is understood here; as all its coordinates fit, they were taken as longitude and latitude (WGS 84).',
    },
  };
}

function onEarth(parts: Parts, where: string, reason: string): Parts {
  const check = (positions: readonly number[]) => {
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const [lon, lat] = [positions[i] ?? 0, positions[i + 1] ?? 0];
      if (Math.abs(lon) <= 180 + edgeDegrees && Math.abs(lat) <= 90 + edgeDegrees) continue;
      if (Number.isNaN(lon) || Number.isNaN(lat)) throw notANumber(where);
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

function notANumber(where: string): Problem {
  return new Problem(
    'invalid',
    `The geometry of ${where} has a coordinate that is no number. Correct it and upload the file again.`,
  );
}
