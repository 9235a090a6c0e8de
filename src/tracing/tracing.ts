import { ignore } from '../lib/concurrency/promises.ts';
import { codeOf } from '../lib/error-facts.ts';

/** Attributes of a span: ids, kinds, states and counts; never user input. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanDescription {
  /** Low cardinality: a route template, a kind of job. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes: SpanAttributes;
}

export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. @param type such as the name of an error; not its message, which may quote user input. */
  fail(type: string): void;
}

/** A span that its owner ends. */
export interface OpenSpan extends Span {
  /** Runs `work` with this span as the current one. */
  run<T>(work: () => T): T;
  end(): void;
}

/** PORT. Creates and delivers spans. Methods neither throw nor wait, and do not affect the traced work. */
export interface Tracer {
  /** Starts a child of the current span; undefined if there is none, so that polls and sweeps do not create traces. */
  begin(description: SpanDescription, startedAgoMs?: number): OpenSpan | undefined;
  /** Starts a child of a span of another process, or a new trace. @param traceparent in the W3C format; any other text is ignored. */
  beginTrace(description: SpanDescription, traceparent: string | undefined): OpenSpan;
  /** Returns the current span in the W3C format, for another process. */
  traceparent(): string | undefined;
}

const silent: Span = { set: ignore, fail: ignore };

/** Undefined while tracing is off. */
let tracer: Tracer | undefined;

/** Sets the tracer of this process. */
export function useTracer(made: Tracer): void {
  tracer = made;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Runs `work` in a child of the current span; the span fails if the work does. */
export async function inSpan<T>(description: SpanDescription, work: (span: Span) => Promise<T>): Promise<T> {
  const span = tracer?.begin(description);
  return span === undefined ? await work(silent) : await runToEnd(span, work);
}

/** Runs `work` in a span that continues the trace of another process, if there is one. */
export async function inTrace<T>(
  description: SpanDescription,
  traceparent: string | undefined,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer?.beginTrace(description, traceparent);
  return span === undefined ? await work(silent) : await runToEnd(span, work);
}

/** Starts a span that continues the trace of another process; undefined while tracing is off. */
export function beginTrace(
  description: SpanDescription,
  traceparent: string | undefined,
): OpenSpan | undefined {
  return tracer?.beginTrace(description, traceparent);
}

/** Adds a completed span. @param error reason of its failure; undefined for success. */
export function addSpan(description: SpanDescription, tookMs: number, error?: unknown): void {
  const span = tracer?.begin(description, tookMs);
  if (error !== undefined) span?.fail(typeOf(error));
  span?.end();
}

/** Returns the current span in the W3C format; undefined if there is none. */
export function currentTraceparent(): string | undefined {
  return tracer?.traceparent();
}

async function runToEnd<T>(span: OpenSpan, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await span.run(async () => await work(span));
  } catch (error) {
    span.fail(typeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

function typeOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.name : 'unknown');
}
