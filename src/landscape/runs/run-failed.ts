import { Problem } from '../../lib/errors.ts';
import type { Message } from '../../lib/message.ts';
import { runFaults } from '../../messages/landscape/runs.ts';
import type { PlannedInput } from './plan-schema.ts';

/** The node at which a run fails, and the sentence that says why. */
export interface RunFault {
  readonly nodeCode: string;
  readonly error: Message;
  /** What a run that could not begin would have read. */
  readonly plannedInputs?: readonly PlannedInput[];
}

/** The run cannot succeed. The message is the run's error: the node's, behind its code. */
export class RunFailed extends Problem {
  override readonly name = 'RunFailed';
  readonly fault: RunFault;

  constructor(fault: RunFault, options: { cause?: unknown } = {}) {
    super('invalid', atNode(fault), options);
    this.fault = fault;
  }
}

/** Returns the error of a run that fails: the node's, behind its code. */
export function atNode({ nodeCode, error }: RunFault): Message {
  return runFaults.atNode(nodeCode, error);
}

/** Returns the fault of the lowest node; of one node's, the first. */
export function lowestFault(faults: readonly RunFault[]): RunFault | undefined {
  return faults.toSorted((one, other) => Number(one.nodeCode) - Number(other.nodeCode))[0];
}

export function internalError(nodeCode: string): RunFault {
  return { nodeCode, error: runFaults.internalError(nodeCode) };
}

export function notStored(nodeCode: string): RunFault {
  return { nodeCode, error: runFaults.outputNotStored(nodeCode) };
}
