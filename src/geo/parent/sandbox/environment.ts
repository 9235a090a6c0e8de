import { GiB } from '../../../lib/units.ts';
import { compiledModules } from '../../../lib/compiled-modules.ts';

/** Folders of the system's tools; nothing of the parent's own PATH gets into a child. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns the whole environment of a child, built from nothing: no credentials, proxies, GDAL or PROJ settings of the
 * machine reach it. Every network setting points to a port without a listener. GDAL_DATA and PROJ_LIB are left out,
 * because a library of the system has its folders built in, and the prebuilt binding sets its own.
 * @param memoryBytes what the child may take.
 */
export function childEnvironment(
  scratch: string,
  skippedDrivers: readonly string[],
  memoryBytes = 0,
): Readonly<Record<string, string>> {
  return {
    PATH: systemPath,
    LANG: 'C.UTF-8',
    HOME: scratch,
    TMPDIR: scratch,
    CPL_TMPDIR: scratch,
    NODE_COMPILE_CACHE: compiledModules,
    GDAL_SKIP: skippedDrivers.join(','),
    GDAL_DRIVER_PATH: 'disable',
    GDAL_CACHEMAX: String(blockCacheMiB(memoryBytes)),
    GDAL_NUM_THREADS: '2',
    GDAL_PAM_ENABLED: 'NO',
    GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
    GDAL_MAX_BAND_COUNT: '4096',
    GDAL_VRT_ENABLE_PYTHON: 'NO',
    GDAL_VRT_ENABLE_RAWRASTERBAND: 'NO',
    GTIFF_IGNORE_READ_ERRORS: 'NO',
    OSR_DEFAULT_AXIS_MAPPING_STRATEGY: 'TRADITIONAL_GIS_ORDER',
    PROJ_NETWORK: 'OFF',
    CPL_VSIL_CURL_ALLOWED_EXTENSIONS: '.none',
    GDAL_HTTP_PROXY: '127.0.0.1:9',
    GDAL_HTTPS_PROXY: '127.0.0.1:9',
    GDAL_HTTP_TIMEOUT: '1',
  };
}

/** GDAL decodes a large raster once less while its COG is written when twice the blocks fit. */
function blockCacheMiB(memoryBytes: number): number {
  return memoryBytes >= 2 * GiB ? 512 : 256;
}
