import { connect, type Socket } from 'node:net';

/** The maximum duration of a poll, in seconds. */
export const waitSeconds = 60;

export interface Answered {
  readonly id: string;
  readonly status: string;
  /** A time of performance.now(). */
  readonly atMs: number;
}

export interface HeldPoll {
  readonly answer: Promise<Answered | 'cut'>;
  leave(): void;
}

/** Holds one long poll on its own connection, with minimal overhead: thousands of them share this process. */
export async function holdPoll(baseUrl: string, id: string): Promise<HeldPoll> {
  const { hostname, port } = new URL(baseUrl);
  const socket = await opened(connect({ host: hostname, port: Number(port) }));
  const { promise: answer, resolve } = Promise.withResolvers<Answered | 'cut'>();
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    text += part;
    const [, status] = /\r\n\r\n.*"status":"(\w+)".*\}$/s.exec(text) ?? [];
    if (status === undefined) return;
    resolve({ id, status, atMs: performance.now() });
    socket.destroy();
  });
  socket.on('error', () => undefined).on('close', () => resolve('cut'));
  socket.write(
    `GET /datasets/${id}/status?current=pending&wait=${waitSeconds} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`,
  );
  return { answer, leave: () => void socket.destroy() };
}

export interface HeldEvents extends HeldPoll {
  /** Returns the place for a reconnection: the last identifier received, which may precede any event. */
  place(): string;
}

/**
 * Holds one listener to events on its own connection; its answer is the first status that it receives.
 * @param place of an earlier listener; without it, only new events are received.
 */
export async function holdEvents(baseUrl: string, id: string, place = ''): Promise<HeldEvents> {
  const { hostname, port } = new URL(baseUrl);
  const socket = await opened(connect({ host: hostname, port: Number(port) }));
  const { promise: answer, resolve } = Promise.withResolvers<Answered | 'cut'>();
  const begun = Promise.withResolvers<void>();
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    text += part;
    if (text.includes('retry:')) begun.resolve();
    const [, status] = /event: dataset\.status\n.*"status": ?"(\w+)"/.exec(text) ?? [];
    if (status === undefined) return;
    resolve({ id, status, atMs: performance.now() });
    socket.destroy();
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      resolve('cut');
      begun.resolve();
    });
  const goingOn = place === '' ? '' : `Last-Event-ID: ${place}\r\n`;
  socket.write(`GET /events HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n${goingOn}\r\n`);
  await begun.promise;
  return {
    answer,
    leave: () => void socket.destroy(),
    place: () => [...text.matchAll(/^id: ?(.*)$/gm)].at(-1)?.[1] ?? place,
  };
}

async function opened(socket: Socket): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('connect', resolve).once('error', reject);
  await promise;
  return socket;
}
