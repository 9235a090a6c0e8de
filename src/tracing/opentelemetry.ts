import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import {
  type ExportResult,
  ExportResultCode,
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { endsWithin } from '../lib/concurrency/with-timeout.ts';
import type { OpenSpan, SpanDescription, Tracer } from './tracing.ts';

/** Maximum number of queued spans; more are dropped, so that an unreachable collector costs no more memory. */
const maxWaiting = 2048;
const sendEveryMs = 1000;
/** Timeout of all attempts to deliver one batch. */
const deliverWithinMs = 4000;
/** Time after which the processor goes on, whatever happened to a batch. */
const giveUpAfterMs = 5000;
/** Timeout of the last delivery; shorter if the collector was unreachable just before. */
const flushWithinMs = 3000;
const flushAwayWithinMs = 500;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

interface OpenTelemetryOptions {
  readonly serviceName: string | undefined;
  readonly role: string;
  /** Name of a sampler as in OTEL_TRACES_SAMPLER. */
  readonly sampler: string;
  readonly samplerRatio: number;
  /** Called when the collector stops accepting spans, once until it accepts them again. */
  onAway(error: unknown): void;
  onBack(): void;
}

/** Starts the delivery of spans over OTLP. The exporter reads endpoint, headers and certificates from the environment. */
export function startOpenTelemetry(options: OpenTelemetryOptions) {
  const { serviceName, role, sampler, samplerRatio } = options;
  let isAway = false;
  const noteFailure = (error: unknown): void => {
    if (!isAway) options.onAway(error);
    isAway = true;
  };
  const noteSuccess = (): void => {
    if (isAway) options.onBack();
    isAway = false;
  };
  // An abandoned batch is reported only here.
  setGlobalErrorHandler(noteFailure);
  const exporter = tellResults(
    new OTLPTraceExporter({ timeoutMillis: deliverWithinMs }),
    noteFailure,
    noteSuccess,
  );
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'steppe',
        'service.instance.id': randomUUID(),
        'process.pid': process.pid,
        'steppe.role': role,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(serviceName === undefined ? {} : { 'service.name': serviceName }));
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(sampler, samplerRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: maxWaiting,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: giveUpAfterMs,
      }),
    ],
  });
  let closing: Promise<boolean> | undefined;
  return {
    tracer: createTracer(provider),
    /** Delivers queued spans, for at most three seconds; never rejects. */
    async close(): Promise<void> {
      closing ??= endsWithin(
        isAway ? flushAwayWithinMs : flushWithinMs,
        provider.shutdown().catch(noteFailure),
      );
      await closing;
    },
  };
}

function createTracer(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer('steppe');
  const propagator = new W3CTraceContextPropagator();
  const contexts = new AsyncLocalStorage<Context>();

  function start({ name, kind, attributes }: SpanDescription, parent: Context, startTime?: number): OpenSpan {
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, ...(startTime === undefined ? {} : { startTime }) },
      parent,
    );
    const context = trace.setSpan(parent, span);
    return { ...describe(span), run: (work) => contexts.run(context, work) };
  }

  return {
    begin(description, startedAgoMs) {
      const parent = contexts.getStore();
      if (parent === undefined) return undefined;
      return start(description, parent, startedAgoMs === undefined ? undefined : Date.now() - startedAgoMs);
    },
    beginTrace: (description, traceparent) =>
      start(description, propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)),
    traceparent() {
      const carrier: { traceparent?: string } = {};
      propagator.inject(contexts.getStore() ?? ROOT_CONTEXT, carrier, defaultTextMapSetter);
      return carrier.traceparent;
    },
  };
}

function describe(span: OtelSpan): Omit<OpenSpan, 'run'> {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.end(),
  };
}

function tellResults(
  exporter: SpanExporter,
  onFailure: (error: unknown) => void,
  onSuccess: () => void,
): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result: ExportResult) => {
        if (result.code === ExportResultCode.SUCCESS) onSuccess();
        else onFailure(result.error ?? new Error('no reason given'));
        done(result);
      });
    },
    shutdown: async () => await exporter.shutdown(),
  };
}

function samplerOf(name: string, ratio: number): Sampler {
  const [, isParentBased, own = ''] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const root = rootSamplerOf(own, ratio);
  return isParentBased === undefined ? root : new ParentBasedSampler({ root });
}

function rootSamplerOf(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
