import type { Box } from './boxes.ts';

/** The box of all positions in a GeoJSON value, in its own coordinates; undefined when there is none. */
export function geoJsonBox(geojson: unknown): Box | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const waiting: unknown[] = [geojson];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) {
      const [x, y]: unknown[] = value;
      if (typeof x === 'number' && typeof y === 'number') {
        west = Math.min(west, x);
        east = Math.max(east, x);
        south = Math.min(south, y);
        north = Math.max(north, y);
      } else {
        for (const part of value) waiting.push(part);
      }
    } else if (typeof value === 'object' && value !== null) {
      if ('features' in value) waiting.push(value.features);
      if ('geometry' in value) waiting.push(value.geometry);
      if ('geometries' in value) waiting.push(value.geometries);
      if ('coordinates' in value) waiting.push(value.coordinates);
    }
  }
  return west <= east ? [west, south, east, north] : undefined;
}
