import gdal from 'gdal-async';
import { z } from 'zod';

/** GDAL's levels from which on something has gone wrong; below are remarks. */
const failureLevel = 3;
const LastError = z.object({ level: z.number(), message: z.string() });

/** Runs a call of the binding's that throws for mere remarks; undefined when it threw. `lastComplaint` tells what was wrong. */
export function quietly<T>(call: () => T): T | undefined {
  gdal.lastError = null;
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** What GDAL complained of since `quietly` was called; undefined for nothing and for remarks. */
export function lastComplaint(): string | undefined {
  const error = LastError.safeParse(gdal.lastError);
  return error.success && error.data.level >= failureLevel ? error.data.message : undefined;
}
