import gdal from 'gdal-async';
import { foreignDrivers, type DriverSet } from '../protocol.ts';

/** Returns the version of this GDAL and the names of its registered drivers. */
export function describeGdal(): { readonly version: string; readonly drivers: readonly string[] } {
  return { version: gdal.version, drivers: gdal.drivers.map((driver) => driver.description) };
}

/** Fails closed: work does not start while GDAL could open anything but what the work is about. */
export function refuseForeignDrivers(set: DriverSet): void {
  const foreign = foreignDrivers(describeGdal().drivers, set);
  if (foreign.length > 0)
    throw new Error(`drivers beyond the allowed ones are registered: ${foreign.join(', ')}`);
}
