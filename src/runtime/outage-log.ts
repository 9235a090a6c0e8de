import type { Logger } from 'pino';
import { reasonOf } from '../lib/error-facts.ts';

/** Longer than the longest pause between two attempts to connect, and what an attempt may take. */
const silenceMilliseconds = 30_000;

/**
 * Logs a database that is away once, and again when the reason changes or when it has been quiet about it.
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

/** Returns where a `postgres://` URL leads to. */
export function databasePlace(databaseUrl: string, variable = 'DATABASE_URL'): string {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const socketFolder = searchParams.get('host');
  if (socketFolder !== null) return `${variable} at ${socketFolder}`;
  return `${variable} at ${hostname === '' ? 'localhost' : hostname}:${port === '' ? '5432' : port}`;
}
