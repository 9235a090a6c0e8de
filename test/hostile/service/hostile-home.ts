import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OuterTargets } from './attack.ts';
import { netrc, settings } from './attack-archives.ts';

/**
 * Makes a home that holds settings of GDAL, PROJ, curl and SQLite which all lead to the targets, and gives the
 * environment of a user whose profile does the same.
 */
export async function makeHostileHome(
  home: string,
  targets: OuterTargets,
): Promise<Readonly<Record<string, string>>> {
  const [url = ''] = targets.urls;
  const files: Readonly<Record<string, string>> = {
    '.gdal/gdalrc': settings(targets),
    '.netrc': netrc(targets),
    '.curlrc': `proxy = ${url}\n`,
    '.aws/credentials': '[default]\naws_access_key_id = canary\naws_secret_access_key = canary\n',
    '.aws/config': `[default]\nendpoint_url = ${url}\n`,
    '.local/share/proj/proj.ini': `network = on\ncdn_endpoint = ${url}\n`,
    '.sqliterc': `.load ${targets.canaryCsv}\n`,
    '.npmrc': `proxy=${url}\n`,
    'plugins/gdal_canary.so': 'no library',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(home, name, '..'), { recursive: true });
    await writeFile(join(home, name), content);
  }
  return {
    HOME: home,
    USERPROFILE: home,
    XDG_DATA_HOME: join(home, '.local/share'),
    GDAL_CONFIG_FILE: join(home, '.gdal/gdalrc'),
    GDAL_DRIVER_PATH: join(home, 'plugins'),
    GDAL_DATA: home,
    GDAL_VRT_ENABLE_PYTHON: 'YES',
    GDAL_HTTP_PROXY: url,
    GDAL_HTTP_NETRC_FILE: join(home, '.netrc'),
    GDAL_SKIP: 'GTiff',
    OGR_SKIP: 'GeoJSON',
    OGR_SQLITE_LOAD_EXTENSIONS: targets.canaryCsv,
    OGR_SQLITE_PRAGMA: 'journal_mode=WAL',
    CPL_DEBUG: 'ON',
    CPL_CURL_VERBOSE: 'YES',
    CPL_VSIL_CURL_ALLOWED_EXTENSIONS: 'csv,tif',
    CPL_TMPDIR: home,
    PROJ_LIB: home,
    PROJ_DATA: home,
    PROJ_NETWORK: 'ON',
    PROJ_NETWORK_ENDPOINT: url,
    PYTHONSO: targets.canaryCsv,
    AWS_ACCESS_KEY_ID: 'canary',
    AWS_SECRET_ACCESS_KEY: 'canary',
    AWS_S3_ENDPOINT: url.replace('http://', ''),
    AWS_HTTPS: 'NO',
    AWS_VIRTUAL_HOSTING: 'FALSE',
    GS_NO_SIGN_REQUEST: 'YES',
    CPL_GS_ENDPOINT: url,
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    no_proxy: '',
  };
}
