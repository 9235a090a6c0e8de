import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { foreignDrivers, systemProjFolder, type DriverSet } from '../child-program.ts';

/** Returns the versions of GDAL and PROJ, null if PROJ's is unknown, and the names of the registered drivers. */
export function describeGdal() {
  return { version: gdal.version, proj: projVersion(), drivers: registeredDrivers() };
}

function registeredDrivers(): readonly string[] {
  return gdal.drivers.map((driver) => driver.description);
}

/** CRS database of the system's PROJ: it identifies the version of PROJ, which GDAL does not expose. */
const projDatabase = join(systemProjFolder, 'proj.db');

function projVersion(): string | null {
  try {
    using database = new DatabaseSync(projDatabase, { readOnly: true });
    const found = database.prepare("select value from metadata where key = 'PROJ.VERSION'").get();
    return typeof found?.['value'] === 'string' ? found['value'] : null;
  } catch {
    return null;
  }
}

/** Fails closed: refuses to work while GDAL could open any other format than the work requires. */
export function refuseForeignDrivers(set: DriverSet): void {
  const foreign = foreignDrivers(registeredDrivers(), set);
  if (foreign.length > 0)
    throw new Error(`drivers beyond the allowed ones are registered: ${foreign.join(', ')}`);
}
