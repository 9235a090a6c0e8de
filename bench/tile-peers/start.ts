import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/ports.ts';
import { eventually } from '../../test/support/processes.ts';
import {
  installPythonTools,
  type PythonTools,
  pythonToolsFolder,
} from '../../test/support/tools/python-tools.ts';
import { type Peer, peerOf } from '../peer-process.ts';
import type { Drawn, Tile } from '../tile-trace.ts';

const run = promisify(execFile);

const tools: PythonTools = {
  name: 'tile-peers',
  packages: ['titiler.core==2.4.0', 'rio-tiler==9.4.12', 'uvicorn[standard]==0.54.0'],
};
/** Settings of GDAL that the documentation of TiTiler recommends. */
const gdalSettings = {
  GDAL_CACHEMAX: '200',
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_INGESTED_BYTES_AT_OPEN: '32768',
  VSI_CACHE: 'TRUE',
  VSI_CACHE_SIZE: '5000000',
} as const;

/** Installs TiTiler and rio-tiler from PyPI if they are missing. */
export function installTilePeers(): void {
  installPythonTools(tools);
}

/** Starts TiTiler with one worker, and waits until it answers. */
export async function startTitiler(): Promise<Peer> {
  const port = await freePort();
  const args = ['--port', String(port), '--no-access-log', '--log-level', 'warning', 'titiler_app:app'];
  const child = spawn(join(pythonToolsFolder(tools), 'uvicorn'), args, {
    cwd: join(import.meta.dirname),
    env: { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', ...gdalSettings },
    stdio: 'inherit',
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const isUp = async () => (await fetch(`${baseUrl}/openapi.json`).catch(() => undefined))?.ok;
  await eventually('TiTiler answers', isUp, 60);
  return peerOf(child, baseUrl);
}

/** Returns the path and query of a tile of TiTiler. */
export function titilerPath(path: string, { colours, stretch }: Drawn, [zoom, x, y]: Tile): string {
  const query = new URLSearchParams({ url: path });
  if (colours !== undefined) query.set('colormap', JSON.stringify(colours));
  else query.set('colormap_name', 'cividis');
  if (stretch !== undefined) query.set('rescale', stretch.join());
  return `/tiles/WebMercatorQuad/${zoom}/${x}/${y}.png?${query.toString()}`;
}

/** Draws tiles with rio-tiler in a separate process, twice; returns the processor seconds of each time. */
export async function drawWithRioTiler(
  job: { readonly path: string; readonly other: string; readonly tiles: readonly Tile[] } & Drawn,
  scratch: string,
): Promise<{ readonly cold: number; readonly warm: number }> {
  const jobPath = join(scratch, 'job.json');
  await writeFile(jobPath, JSON.stringify(job));
  const program = join(import.meta.dirname, 'draw_tiles.py');
  const env = { PATH: process.env['PATH'] ?? '', ...gdalSettings };
  const { stdout } = await run(join(pythonToolsFolder(tools), 'python'), [program, jobPath], { env });
  const seconds: { cold: number; warm: number } = JSON.parse(stdout);
  return seconds;
}
