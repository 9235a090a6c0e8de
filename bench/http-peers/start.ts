import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/ports.ts';
import { type Peer, peerOf } from '../peer-process.ts';

const run = promisify(execFile);

/** Starts one of the programs in this folder, and waits until it prints its address. */
export async function startNodePeer(program: 'ranges' | 'rows' | 'holds', argument = ''): Promise<Peer> {
  const path = join(import.meta.dirname, `${program}.ts`);
  const child = spawn(process.execPath, [path, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { port }: { port: number } = JSON.parse(String(line));
  return peerOf(child, `http://127.0.0.1:${port}`);
}

interface NginxFiles {
  /** The folder whose files it serves. */
  readonly folder: string;
  /** A folder for its temporary files. */
  readonly scratch: string;
  /** The service in front of which it also stands, sending files of this folder in its place. */
  readonly service: { readonly baseUrl: string; readonly objects: string; readonly port: number };
}

/** Location of the files that nginx sends in place of the service. */
export const filesLocation = '/steppe-objects/';

/** Starts nginx without an access log. */
export async function startNginx(files: NginxFiles): Promise<Peer> {
  const { scratch } = files;
  const port = await freePort();
  const path = join(scratch, 'nginx.conf');
  await writeFile(path, nginxConfig(files, port));
  const child = spawn('nginx', ['-c', path, '-e', join(scratch, 'error.log'), '-g', 'daemon off;'], {
    stdio: 'inherit',
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await run('curl', ['-s', '-o', '/dev/null', '--retry', '20', '--retry-connrefused', baseUrl]);
  return peerOf(child, baseUrl);
}

function nginxConfig({ folder, scratch, service }: NginxFiles, port: number): string {
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
  upstream api { server ${new URL(service.baseUrl).host}; keepalive 32; }
  server {
    listen 127.0.0.1:${service.port};
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header Connection "";
    proxy_set_header X-Sendfile-Type X-Accel-Redirect;
    location / { proxy_pass http://api; }
    location ${filesLocation} { internal; alias ${service.objects}; etag off; add_header ETag $upstream_http_etag; }
  }
}
`;
}
