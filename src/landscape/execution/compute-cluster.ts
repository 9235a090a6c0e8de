import type { Attempt } from '../../jobs/handler.ts';
import type { GapInputs } from '../gaps/gaps.ts';
import type { Pass } from './pass.ts';
import type { StoredRun } from '../runs/run-rows.ts';

/** A run whose pass has begun. */
export interface BegunRun {
  readonly run: StoredRun;
  /** Over what no attempt before has done. */
  readonly pass: Pass;
  /** What the gaps depend on, unless they are known. */
  readonly gaps: GapInputs | undefined;
}

/** PORT. What computes the passes of runs: this machine, or many. */
export interface ComputeCluster {
  /**
   * Computes the nodes of a pass, publishes each of their outputs once, and keeps the gaps. It may die anywhere, and another attempt may
   * ask for the rest. @throws {RunFailed} for what no attempt can mend. @throws {EngineDied} @throws {LeaseLost}
   */
  execute(attempt: Attempt, begun: BegunRun): Promise<void>;
}
