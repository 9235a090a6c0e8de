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
  const set = (value: string, ...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, value]));
  return {
    ...set(home, 'HOME', 'USERPROFILE', 'GDAL_DATA', 'CPL_TMPDIR', 'PROJ_LIB', 'PROJ_DATA'),
    ...set(url, 'GDAL_HTTP_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'),
    ...set(url, 'ALL_PROXY', 'PROJ_NETWORK_ENDPOINT', 'CPL_GS_ENDPOINT'),
    ...set(targets.canaryCsv, 'OGR_SQLITE_LOAD_EXTENSIONS', 'PYTHONSO'),
    ...set('YES', 'GDAL_VRT_ENABLE_PYTHON', 'CPL_CURL_VERBOSE', 'GS_NO_SIGN_REQUEST'),
    ...set('ON', 'CPL_DEBUG', 'PROJ_NETWORK'),
    ...set('canary', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'),
    XDG_DATA_HOME: join(home, '.local/share'),
    GDAL_CONFIG_FILE: join(home, '.gdal/gdalrc'),
    GDAL_DRIVER_PATH: join(home, 'plugins'),
    GDAL_HTTP_NETRC_FILE: join(home, '.netrc'),
    GDAL_SKIP: 'GTiff',
    OGR_SKIP: 'GeoJSON',
    OGR_SQLITE_PRAGMA: 'journal_mode=WAL',
    CPL_VSIL_CURL_ALLOWED_EXTENSIONS: 'csv,tif',
    AWS_S3_ENDPOINT: url.replace('http://', ''),
    AWS_HTTPS: 'NO',
    AWS_VIRTUAL_HOSTING: 'FALSE',
    no_proxy: '',
  };
}
