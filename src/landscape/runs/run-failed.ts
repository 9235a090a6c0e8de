import { Problem } from '../../lib/errors.ts';
import type { Message } from '../../lib/message.ts';
import { runFaults } from '../../messages/runs/english.ts';
import type { PlannedInput } from './plan-schema.ts';

/** The node at which a run fails, with the reason as a sentence. */
export interface RunFault {
  readonly nodeCode: string;
  readonly error: Message;
  /** The inputs of a run that could not begin. */
  readonly plannedInputs?: readonly PlannedInput[];
}

/** The run cannot succeed. The message is the error of the run: the code of a node and its error. */
export class RunFailed extends Problem {
  override readonly name = 'RunFailed';
  readonly fault: RunFault;

  constructor(fault: RunFault, options: { cause?: unknown } = {}) {
    super('invalid', atNode(fault), options);
    this.fault = fault;
  }
}

/** Returns the error of a failed run: the code of a node and its error. */
export function atNode({ nodeCode, error }: RunFault): Message {
  return runFaults.atNode(nodeCode, error);
}

/** Returns the fault of the lowest node; of several faults of a node, the first. */
export function lowestFault(faults: readonly RunFault[]): RunFault | undefined {
  return faults.toSorted((one, other) => Number(one.nodeCode) - Number(other.nodeCode))[0];
}

export function internalError(nodeCode: string): RunFault {
  return { nodeCode, error: runFaults.internalError(nodeCode) };
}

export function notStored(nodeCode: string): RunFault {
  return { nodeCode, error: runFaults.outputNotStored(nodeCode) };
}
