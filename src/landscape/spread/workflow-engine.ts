import type { PassInput, PassSteps, StepCall } from './pass-workflow.ts';

/** The workflow of one pass. */
export interface PassWorkflow {
  /** Unique among the workflows of all installations that share the engine. */
  readonly id: string;
  /** Only workers that serve this queue execute its steps. */
  readonly queue: string;
  readonly input: PassInput;
}

/** The state of a workflow. `absent`: unknown to the engine; `ended`: closed externally, or by a timeout. */
export type WorkflowState =
  | { readonly state: 'open' | 'done' | 'ended' | 'absent' }
  | { readonly state: 'failed'; readonly failure: StepFailure };

/** A failure of a step that must not be retried, with a name from `toStepFailure`. */
export interface StepFailure {
  readonly type: string;
  readonly message: string;
  /** A JSON value. */
  readonly details: unknown;
}

/** The engine does not answer, or reports that it cannot work at present. */
export class EngineAway extends Error {
  override readonly name = 'EngineAway';
}

/** The steps of a worker: each may be started twice, and interrupted anywhere. */
export type WorkerSteps = {
  readonly [Name in keyof PassSteps]: (
    input: Parameters<PassSteps[Name]>[0],
    call: StepCall,
  ) => Promise<void>;
};

/** PORT. Schedules the steps of passes. It answers, or throws `EngineAway`, within some seconds. */
export interface WorkflowEngine {
  /** A digest of the workflow code; a workflow with another digest cannot continue its history. */
  readonly workflowDigest: string;
  /** Starts a workflow; an open one with this id continues. @throws {EngineAway} */
  start(workflow: PassWorkflow): Promise<void>;
  /** Returns the state of a workflow. @throws {EngineAway} */
  stateOf(id: string): Promise<WorkflowState>;
  /** Closes a workflow; ignores one that is closed or absent. A cancelled workflow notifies its steps. @throws {EngineAway} */
  end(id: string, how: 'cancel' | 'terminate'): Promise<void>;
  /** Lists the ids of open workflows with a prefix. @throws {EngineAway} */
  listOpen(prefix: string): Promise<readonly string[]>;
  /** Executes steps of a queue until it is closed; it waits while the engine is unavailable. */
  serve(options: { readonly queue: string; readonly steps: WorkerSteps; readonly slots: number }): StepWorker;
  close(): Promise<void>;
}

export interface StepWorker {
  /** Hands back steps in progress; resolves within three seconds. */
  close(): Promise<void>;
}
