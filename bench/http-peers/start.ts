import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A server to compare with. */
export interface Peer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly pid: number;
}

/** Starts one of the programs beside this file, and waits until it says where it listens. */
export async function startNodePeer(program: 'ranges' | 'rows' | 'holds', argument = ''): Promise<Peer> {
  const path = join(import.meta.dirname, `${program}.ts`);
  const child = spawn(process.execPath, [path, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { port }: { port: number } = JSON.parse(String(line));
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid: child.pid ?? Number.NaN,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Starts nginx for the files of one folder, without a log of requests; `scratch` takes what it writes. */
export async function startNginx(folder: string, scratch: string): Promise<Peer> {
  const port = await freePort();
  const path = join(scratch, 'nginx.conf');
  await writeFile(path, nginxConfig(folder, scratch, port));
  const child = spawn('nginx', ['-c', path, '-e', join(scratch, 'error.log'), '-g', 'daemon off;'], {
    stdio: 'inherit',
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await run('curl', ['-s', '-o', '/dev/null', '--retry', '20', '--retry-connrefused', baseUrl]);
  return {
    baseUrl,
    pid: child.pid ?? Number.NaN,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function nginxConfig(folder: string, scratch: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(scratch, name)};`,
  );
  return `user root;
worker_processes 2;
pid ${join(scratch, 'nginx.pid')};
events { worker_connections 1024; }
http {
  ${temporary.join('\n  ')}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
