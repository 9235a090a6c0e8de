import { DatabaseSync } from 'node:sqlite';
import gdal from 'gdal-async';
import { foreignDrivers, type DriverSet } from '../child-program.ts';

/** Returns the versions of this GDAL and its PROJ, null where PROJ has none, and the names of the registered drivers. */
export function describeGdal() {
  return { version: gdal.version, proj: projVersion(), drivers: registeredDrivers() };
}

function registeredDrivers(): readonly string[] {
  return gdal.drivers.map((driver) => driver.description);
}

/** The database of reference systems that PROJ of the system reads: it belongs to one version, which GDAL does not hand out. */
const projDatabase = '/usr/share/proj/proj.db';

function projVersion(): string | null {
  try {
    using database = new DatabaseSync(projDatabase, { readOnly: true });
    const found = database.prepare("select value from metadata where key = 'PROJ.VERSION'").get();
    return typeof found?.['value'] === 'string' ? found['value'] : null;
  } catch {
    return null;
  }
}

/** Fails closed: work does not start while GDAL could open anything but what the work is about. */
export function refuseForeignDrivers(set: DriverSet): void {
  const foreign = foreignDrivers(registeredDrivers(), set);
  if (foreign.length > 0)
    throw new Error(`drivers beyond the allowed ones are registered: ${foreign.join(', ')}`);
}
