import { ignore } from '../lib/concurrency/promises.ts';
import { codeOf } from '../lib/error-facts.ts';

/** Facts of a span: ids, kinds, states and counts, never what a user has written. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanDescription {
  /** Takes few values: a template of a route, a kind of job. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes: SpanAttributes;
}

/** A span that has begun. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. @param type such as the name of an error; its message may quote what a user has written. */
  fail(type: string): void;
}

/** A span that its owner ends. */
export interface OpenSpan extends Span {
  /** Makes it the current span of `work` and of all that `work` begins. */
  run<T>(work: () => T): T;
  end(): void;
}

/** PORT. Makes spans and delivers them. Nothing here throws, waits, or changes what is traced. */
export interface Tracer {
  /** Begins a span below the current one; undefined where there is none, so that looks and sweeps make no traces of their own. */
  begin(description: SpanDescription, startedAgoMs?: number): OpenSpan | undefined;
  /** Begins a span below one of another process, or a trace of its own. @param traceparent in the form of W3C; others do not count. */
  beginTrace(description: SpanDescription, traceparent: string | undefined): OpenSpan;
  /** Names the current span for another process. */
  traceparent(): string | undefined;
}

const silent: Span = { set: ignore, fail: ignore };

/** Undefined while traces are off. */
let tracer: Tracer | undefined;

/** Makes this process record spans from now on. */
export function useTracer(made: Tracer): void {
  tracer = made;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Runs `work` in a span below the current one, which fails with it. */
export async function inSpan<T>(description: SpanDescription, work: (span: Span) => Promise<T>): Promise<T> {
  const span = tracer?.begin(description);
  return span === undefined ? await work(silent) : await runToEnd(span, work);
}

/** Runs `work` in a span that goes on with the trace of another process, where there is one. */
export async function inTrace<T>(
  description: SpanDescription,
  traceparent: string | undefined,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer?.beginTrace(description, traceparent);
  return span === undefined ? await work(silent) : await runToEnd(span, work);
}

/** Begins a span that goes on with the trace of another process; undefined while traces are off. */
export function beginTrace(
  description: SpanDescription,
  traceparent: string | undefined,
): OpenSpan | undefined {
  return tracer?.beginTrace(description, traceparent);
}

/** Adds a span that is over. @param error why it failed; undefined when it did not. */
export function addSpan(description: SpanDescription, tookMs: number, error?: unknown): void {
  const span = tracer?.begin(description, tookMs);
  if (error !== undefined) span?.fail(typeOf(error));
  span?.end();
}

/** Names the current span for another process; undefined when there is none. */
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
