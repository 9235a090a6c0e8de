import type { Logger } from 'pino';
import { reasonOf } from '../lib/error-facts.ts';
import type { Config } from '../config.ts';
import { useTracer } from '../tracing/tracing.ts';

/**
 * Makes this process record spans if OTEL_EXPORTER_OTLP_ENDPOINT is set; otherwise OpenTelemetry is not loaded. Call it before opening
 * any traced component.
 * @returns a function that flushes and closes the export within three seconds; further calls have no effect.
 */
export async function openTracing(
  { tracing }: Pick<Config, 'tracing'>,
  role: string,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<{ close(): Promise<void> }> {
  if (tracing === undefined) return { close: async () => undefined };
  const { startOpenTelemetry } = await import('../tracing/opentelemetry.ts');
  const { tracer, close } = startOpenTelemetry({
    ...tracing,
    role,
    onAway: (error) => log.warn({ reason: reasonOf(error) }, 'traces cannot be delivered, and are dropped'),
    onBack: () => log.info('traces are delivered again'),
  });
  useTracer(tracer);
  return { close };
}
