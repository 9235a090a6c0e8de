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

/** Spans that wait beyond this are dropped: a collector that is away costs no more memory. */
const maxWaiting = 2048;
const sendEveryMs = 1000;
/** For all tries at one batch. */
const deliverWithinMs = 4000;
/** The processor goes on after this, whatever became of a batch. */
const giveUpAfterMs = 5000;
/** Bounds of the last delivery. A collector that was away just now is not waited for as long. */
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
  /** The kind of process. */
  readonly role: string;
  /** The name of a sampler as OTEL_TRACES_SAMPLER has it. */
  readonly sampler: string;
  /** The share of traces that a sampler by ratio keeps. */
  readonly samplerRatio: number;
  /** Told when the collector does not take spans, once until it takes them again. */
  onAway(error: unknown): void;
  onBack(): void;
}

/** Starts to deliver spans over OTLP; where to, with which headers and certificates, the exporter reads from the environment. */
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
  // A batch that is given up is reported here alone.
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
    /** Delivers what waits, for three seconds at most; never rejects. */
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
