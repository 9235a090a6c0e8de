import { Problem } from '../../common/errors.ts';

/** What is wrong with a run: the node that fails, and the words for it. */
export interface RunFault {
  readonly nodeCode: string;
  readonly error: string;
}

/** The run can not succeed. The message is the run's error: the node's, behind its code. */
export class RunFailed extends Problem {
  override readonly name = 'RunFailed';
  readonly fault: RunFault;

  constructor(fault: RunFault, options: { cause?: unknown } = {}) {
    super('invalid', `${fault.nodeCode}: ${fault.error}`, options);
    this.fault = fault;
  }
}

/** Of several faults the one of the lowest node counts; of one node's, the first. */
export function lowestFault(faults: readonly RunFault[]): RunFault | undefined {
  return faults.toSorted((one, other) => Number(one.nodeCode) - Number(other.nodeCode))[0];
}

export function internalError(nodeCode: string): RunFault {
  return { nodeCode, error: `node ${nodeCode}: internal error` };
}

export function notStored(nodeCode: string): RunFault {
  return { nodeCode, error: `node ${nodeCode}: output could not be stored` };
}
