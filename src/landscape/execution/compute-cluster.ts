import type { Attempt } from '../../jobs/handler.ts';
import type { GapInputs } from '../gaps/gaps.ts';
import type { Pass } from './pass.ts';
import type { StoredRun } from '../runs/run-rows.ts';

/** A run whose pass has started. */
export interface BegunRun {
  readonly run: StoredRun;
  /** The pass over the work that no earlier attempt has done. */
  readonly pass: Pass;
  /** The inputs of the gaps, unless the gaps are known. */
  readonly gaps: GapInputs | undefined;
}

/** PORT. Computes the passes of runs, on this machine or on many. */
export interface ComputeCluster {
  /**
   * Computes the nodes of a pass, publishes each output once, and stores the gaps. May be interrupted anywhere; another attempt then
   * requests the rest.
   * @throws {RunFailed} for faults that no further attempt can fix.
   * @throws {EngineDied}
   * @throws {LeaseLost}
   */
  execute(attempt: Attempt, begun: BegunRun): Promise<void>;
}
