import type { Logger } from 'pino';
import { reasonOf } from '../lib/error-facts.ts';

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
