import type { Batch, BatchResult, Inspection, InspectionResult } from './batch.ts';

/** One piece of work for a child process. */
export interface ComputeTask<T> {
  readonly work: T;
  /** An existing empty folder of this task's own. */
  readonly scratch: string;
  /** Kills the child and everything it started. */
  readonly signal: AbortSignal;
}

/** PORT. Computes in child processes, one for each call. @throws {EngineDied} when a child ends without an answer. */
export interface LandscapeEngine {
  inspect(task: ComputeTask<Inspection>): Promise<InspectionResult>;
  /** @throws {SourceUnreadable} when pixels of a source cannot be read. */
  compute(task: ComputeTask<Batch>): Promise<BatchResult>;
}

/** Pixels of a source could not be read although its headers could. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable';
  /** The key of the band: a leaf's key or a node's code. */
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`the raster of ${key} cannot be read`, options);
    this.key = key;
  }
}
