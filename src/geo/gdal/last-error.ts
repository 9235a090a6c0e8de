import gdal from 'gdal-async';
import { z } from 'zod';

/** GDAL's lowest level of an error; below are warnings and remarks. */
const failureLevel = 3;
const LastError = z.object({ level: z.number(), message: z.string() });

/** Runs a call of the binding, which throws even for warnings; undefined when it threw. `lastError` tells errors apart. */
export function quietly<T>(call: () => T): T | undefined {
  gdal.lastError = null;
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Returns the text of GDAL's last error since `quietly` was called; undefined when there was none. */
export function lastError(): string | undefined {
  const error = LastError.safeParse(gdal.lastError);
  return error.success && error.data.level >= failureLevel ? error.data.message : undefined;
}
