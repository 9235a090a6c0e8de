import gdal from 'gdal-async';

/** GDAL's lowest level of an error; below are warnings and remarks. */
const failureLevel = 3;

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
  const error: unknown = gdal.lastError;
  if (typeof error !== 'object' || error === null || !('level' in error && 'message' in error))
    return undefined;
  return Number(error.level) >= failureLevel ? String(error.message) : undefined;
}
