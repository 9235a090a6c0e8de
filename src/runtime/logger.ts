import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { reasonOf } from '../lib/error-facts.ts';

const stderr = 2;
const bufferedBytes = 4096;
const flushEveryMs = 1000;

/** Creates a logger to stderr: one JSON object per line, or short lines on a terminal. stdout is reserved for answers. */
export function createLogger(level: string, role: string): Logger {
  const options = {
    level,
    base: { role, pid: process.pid },
    serializers: { error: describeError, err: describeError },
  };
  return openLog(options, pino.destination({ fd: stderr, sync: true }));
}

/** Creates the access log, which also writes to stderr, but in batches: one write per line would cost as much as a small answer. */
export function createAccessLog(level: string, role: string): Logger {
  const options = { level, base: { role, pid: process.pid } };
  return openLog(
    options,
    pino.destination({ fd: stderr, sync: false, minLength: bufferedBytes, periodicFlush: flushEveryMs }),
  );
}

function openLog(options: LoggerOptions, destination: DestinationStream): Logger {
  return isatty(stderr) ? pino(options, forPeople(destination)) : pino(options, destination);
}

/** Some errors of the database driver contain the whole connection, which is long and reveals credentials. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { client: _client, ...described } = stdSerializers.err(error);
  return described;
}

function forPeople(destination: DestinationStream): DestinationStream {
  return {
    write(line) {
      const { level, time, role, pid: _pid, msg, ...rest }: Record<string, unknown> = JSON.parse(line);
      const clock = new Date(Number(time)).toTimeString().slice(0, 8);
      const name = pino.levels.labels[Number(level)] ?? 'info';
      const details = Object.entries(rest).map(([key, value]) => `${key}=${inShort(value)}`);
      destination.write(`${[clock, name.padEnd(5), role, msg, ...details].join(' ')}\n`);
    },
  };
}

function inShort(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'stack' in value) return String(value.stack);
  return JSON.stringify(value);
}

/** Longer than the longest pause between two attempts to connect plus the duration of an attempt. */
const silenceMilliseconds = 30_000;

/**
 * Logs an outage of the database once, and again when the reason changes or after a time without outage.
 * @param place such as `DATABASE_URL at maps.example:5432`, without secrets.
 */
export function createOutageLog(
  log: Pick<Logger, 'warn'>,
  place: string,
  now = () => performance.now(),
): (error: unknown) => void {
  let lastReason: string | undefined;
  let lastAt = 0;
  return (error) => {
    const reason = reasonOf(error);
    const isKnown = reason === lastReason && now() - lastAt < silenceMilliseconds;
    lastReason = reason;
    lastAt = now();
    if (!isKnown) log.warn({ reason }, `waiting for ${place}`);
  };
}

/** Returns the host and port of a `postgres://` URL. */
export function databasePlace(databaseUrl: string, variable = 'DATABASE_URL'): string {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const socketFolder = searchParams.get('host');
  if (socketFolder !== null) return `${variable} at ${socketFolder}`;
  return `${variable} at ${hostname === '' ? 'localhost' : hostname}:${port === '' ? '5432' : port}`;
}
