import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What a client reads that writes these bytes and then waits for the server to close the connection. */
export async function exchange(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  const socket = await openSocket(port);
  for (const chunk of chunks) socket.write(chunk);
  return await readAll(socket);
}

/** As `exchange`, but says with a FIN that nothing more will come. */
export async function exchangeAndEnd(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  const socket = await openSocket(port);
  for (const chunk of chunks) socket.write(chunk);
  socket.end();
  return await readAll(socket);
}

/** A client that first writes all of `totalBytes` of body, whatever comes back, and only then reads. */
export async function exchangeEagerly(
  port: number,
  head: string,
  totalBytes: number,
  chunk: Buffer = Buffer.alloc(64 * 1024),
): Promise<string> {
  const socket = await openSocket(port);
  socket.pause();
  socket.write(head);
  for (let written = 0; written < totalBytes && socket.writable; written += chunk.length) {
    if (!socket.write(chunk)) await drained(socket);
  }
  return await readAll(socket);
}

async function drained(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => resolve();
  socket.once('drain', done).once('close', done);
  await promise;
  socket.off('drain', done).off('close', done);
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined); // what was read before a reset is what counts
  await once(socket, 'connect');
  return socket;
}

/** Reads until the last answer is complete by its own length, or the connection ends. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  const complete = Promise.withResolvers<void>();
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (isComplete(text)) complete.resolve();
  });
  socket.once('end', complete.resolve).once('close', complete.resolve).resume();
  await Promise.race([complete.promise, delay(15_000, undefined, { ref: false })]);
  socket.destroy();
  return text;
}

function isComplete(text: string): boolean {
  const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
  const [, length] = /^content-length: (\d+)\r$/im.exec(last) ?? [];
  const bodyStart = last.indexOf('\r\n\r\n') + 4;
  return length !== undefined && bodyStart > 3 && Buffer.byteLength(last.slice(bodyStart)) >= Number(length);
}

/** A request with this body and its length. */
export function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = '',
): string {
  const lines = Object.entries({
    host: 'test',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body.toString()}`;
}
