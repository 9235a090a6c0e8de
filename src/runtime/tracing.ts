import type { Logger } from 'pino';
import { reasonOf } from '../lib/error-facts.ts';
import type { Config } from '../config.ts';
import { useTracer } from '../tracing/tracing.ts';

/**
 * Makes this process record spans when OTEL_EXPORTER_OTLP_ENDPOINT says where to; else nothing of OpenTelemetry is loaded. Comes
 * before whatever is to be traced is opened.
 * @returns closes what delivers them, within three seconds; closing it again changes nothing.
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
