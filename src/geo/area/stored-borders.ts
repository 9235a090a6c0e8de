import { z } from 'zod';

const Polygon = z.array(z.array(z.array(z.number())));
const Borders = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Polygon'), coordinates: Polygon }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(Polygon) }),
]);

/** Parses the borders of a unit in the database, GeoJSON text of a polygon or multipolygon, as several polygons. */
export function readPolygons(text: string): z.infer<typeof Polygon>[] {
  const { type, coordinates } = Borders.parse(JSON.parse(text));
  return type === 'Polygon' ? [coordinates] : coordinates;
}
