import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../test/support/ports.ts';
import { eventually } from '../test/support/processes.ts';
import { installPythonTools } from '../test/support/tools/python-tools.ts';
import { type Peer, peerOf } from './peer-process.ts';

/** Starts tipg over the tables of a PostGIS with one worker, and waits until it answers; installs it from PyPI if it is missing. */
export async function startTipg(databaseUrl: string): Promise<Peer> {
  const folder = installPythonTools({
    name: 'tipg',
    packages: ['tipg==1.6.1', 'uvicorn[standard]==0.54.0'],
  });
  const port = await freePort();
  const args = ['--port', String(port), '--no-access-log', '--log-level', 'warning', 'tipg.main:app'];
  const child = spawn(join(folder, 'uvicorn'), args, {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl, TIPG_CATALOG_TTL: '0' },
    stdio: 'inherit',
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const isUp = async () => (await fetch(`${baseUrl}/healthz`).catch(() => undefined))?.ok;
  await eventually('tipg answers', isUp, 60);
  return peerOf(child, baseUrl);
}
