import type { Parts, Positions } from '../features/geometry.ts';

const maxLatitude = 90;
const maxLongitude = 180;

/** Watches positions go by, and says whether all of them can be latitude first. */
export function createAxisOrder() {
  let mayBeLatitudeFirst = true;
  const look = (positions: Positions) => {
    for (let i = 0; mayBeLatitudeFirst && i + 1 < positions.length; i += 2) {
      const [first = NaN, second = NaN] = [positions[i], positions[i + 1]];
      mayBeLatitudeFirst = Math.abs(first) <= maxLatitude && Math.abs(second) <= maxLongitude;
    }
  };
  return {
    look({ points, lines, polygons }: Parts): void {
      look(points);
      lines.forEach(look);
      for (const rings of polygons) rings.forEach(look);
    },
    mayBeLatitudeFirst: () => mayBeLatitudeFirst,
  };
}
