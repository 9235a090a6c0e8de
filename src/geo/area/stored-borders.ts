import { z } from 'zod';

const Polygon = z.array(z.array(z.array(z.number())));
const Borders = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Polygon'), coordinates: Polygon }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(Polygon) }),
]);

/** Reads the borders of a unit as the database has them, GeoJSON text of one polygon or of several, as several. */
export function readPolygons(text: string): z.infer<typeof Polygon>[] {
  const { type, coordinates } = Borders.parse(JSON.parse(text));
  return type === 'Polygon' ? [coordinates] : coordinates;
}
