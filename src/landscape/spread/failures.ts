import { z } from 'zod';
import { isResourceError, ResourceError } from '../../lib/errors.ts';
import { messageOf } from '../../lib/error-facts.ts';
import { Message } from '../../lib/message.ts';
import { Sentence } from '../../geo/findings.ts';
import { RunFailed } from '../runs/run-failed.ts';
import type { StepFailure } from './workflow-engine.ts';

/** The run has ended, or continues with another pass: this pass is no longer needed. */
export class PassGone extends Error {
  override readonly name = 'PassGone';
  constructor() {
    super('the pass of this run has ended');
  }
}

const Fault = z.object({ nodeCode: z.string(), english: z.string(), sentence: Sentence.optional() });

/** The number of failures with a full or broken disk, which may be that of a single machine. */
const mostWithoutResources = 5;
const lacksResources = 'ResourceError';

/**
 * Returns the failure for the engine if no further attempt can succeed; undefined for other errors.
 * @param attempt of the step, starting at 1.
 */
export function toStepFailure(error: unknown, attempt: number): StepFailure | undefined {
  if (error instanceof PassGone) return { type: error.name, message: error.message, details: null };
  if (isResourceError(error) && attempt >= mostWithoutResources)
    return { type: lacksResources, message: messageOf(error), details: null };
  if (!(error instanceof RunFailed)) return undefined;
  const { nodeCode, error: said } = error.fault;
  const details = Fault.parse({ nodeCode, english: said.english, sentence: said.sentence });
  return { type: error.name, message: error.message, details };
}

/** Returns the error of a failed step. */
export function fromStepFailure({ type, message, details }: StepFailure): Error {
  if (type === 'PassGone') return new PassGone();
  if (type === lacksResources) return new ResourceError(`a step of the run lacked resources: ${message}`);
  const fault = Fault.safeParse(details);
  if (type !== 'RunFailed' || !fault.success) return new Error(`a step of the run failed: ${message}`);
  const { nodeCode, english, sentence } = fault.data;
  return new RunFailed({ nodeCode, error: new Message(english, sentence) });
}
