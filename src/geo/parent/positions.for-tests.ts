/** Prints for every n-th system of the system's own PROJ its definition and positions, as the PROJ of this process has them. */
import { DatabaseSync } from 'node:sqlite';
import gdal from 'gdal-async';
import { createTransformation, transformPoint } from '../gdal/transformation.ts';
import { quietly } from '../gdal/last-error.ts';

const every = Number(process.argv[2]);
const places = [
  [71.4, 51.1],
  [-100.5, 40.2],
  [5.2, 52.1],
  [150.3, -33.2],
] as const;
using database = new DatabaseSync('/usr/share/proj/proj.db', { readOnly: true });
const systems = database
  .prepare(
    `select auth_name || ':' || code as name from crs_view where auth_name in ('EPSG', 'ESRI', 'IAU_2015')
      and type in ('geographic 2D', 'geographic 3D', 'projected', 'compound', 'geocentric') order by auth_name, code`,
  )
  .all();

for (const [index, { name }] of systems.entries()) {
  if (index % every !== 0) continue;
  const wkt = quietly(() => gdal.SpatialReference.fromUserInput(String(name)).toWKT());
  const proj = wkt && quietly(() => gdal.SpatialReference.fromWKT(wkt).toProj4());
  const transformation = wkt && quietly(() => createTransformation({ epsg: 4326 }, { wkt }));
  const positions =
    transformation && places.map(([x, y]) => transformPoint(transformation, x, y).map(String));
  process.stdout.write(`${JSON.stringify([name, wkt, proj, positions])}\n`);
}
