/** The latitude at which Web Mercator ends, in degrees. */
const lastLatitude = 85.0511287798066;

/** The place of a longitude in Web Mercator, 0 at its west end and 1 at its east end. */
export function worldX(longitude: number): number {
  return longitude / 360 + 0.5;
}

/** The place of a latitude in Web Mercator, 0 at its north end and 1 at its south end. */
export function worldY(latitude: number): number {
  const sine = Math.sin((Math.min(lastLatitude, Math.max(-lastLatitude, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
