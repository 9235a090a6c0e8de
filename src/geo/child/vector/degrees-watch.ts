import { vectorWarnings } from '../../../messages/vector.ts';
import { type Warning, warningOf } from '../../findings.ts';
import { type Parts, positionsOf } from '../../formats/features/geometry.ts';
import { edgeDegrees } from './reprojection.ts';

/** The box around the districts of Kazakhstan that the service begins with (seeds/districts), rounded outwards. */
const districtsBox = { west: 46.4, south: 40.5, east: 87.4, north: 55.5 };

/** Watches the coordinates of a file in degrees go by, for what is worth a warning. */
export function createDegreesWatch() {
  const turned = { features: 0, first: '' };
  let [positions, mayBeSwapped] = [0, true];
  return {
    /** @param unit degrees of one unit of the file. */
    look(parts: Parts, where: string, unit = 1): void {
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
