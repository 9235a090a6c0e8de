import type { PassInput, PassSteps, StepCall } from './pass-workflow.ts';

/** The workflow of one pass. */
export interface PassWorkflow {
  /** Unique among all workflows of all installations that share the engine. */
  readonly id: string;
  /** Only workers that serve it take its steps. */
  readonly queue: string;
  readonly input: PassInput;
}

/** How a workflow is. `absent`: the engine knows of none; `ended`: closed from outside, or by its time. */
export type WorkflowState =
  | { readonly state: 'open' | 'done' | 'ended' | 'absent' }
  | { readonly state: 'failed'; readonly failure: StepFailure };

/** What a step says that must not be tried again, by a name that `toStepFailure` gives. */
export interface StepFailure {
  readonly type: string;
  readonly message: string;
  /** JSON. */
  readonly details: unknown;
}

/** The engine does not answer, or says that it cannot work now. */
export class EngineAway extends Error {
  override readonly name = 'EngineAway';
}

/** The steps as a worker does them: each may be begun twice, and die anywhere. */
export type WorkerSteps = {
  readonly [Name in keyof PassSteps]: (
    input: Parameters<PassSteps[Name]>[0],
    call: StepCall,
  ) => Promise<void>;
};

/** PORT. Keeps track of which step of which pass is done where. It answers, or throws `EngineAway`, within some seconds. */
export interface WorkflowEngine {
  /** A digest of what the workflow does; another one cannot go on with its history. */
  readonly workflowDigest: string;
  /** Starts a workflow; one with this id that is open goes on. @throws {EngineAway} */
  start(workflow: PassWorkflow): Promise<void>;
  /** @throws {EngineAway} */
  look(id: string): Promise<WorkflowState>;
  /** Closes a workflow; one that is closed or absent is fine. A cancelled one lets its steps know. @throws {EngineAway} */
  end(id: string, how: 'cancel' | 'terminate'): Promise<void>;
  /** The ids of the open workflows of passes that begin so. @throws {EngineAway} */
  listOpen(prefix: string): Promise<readonly string[]>;
  /** Takes steps of a queue until it is closed; an engine that is away only makes it wait. */
  serve(options: { readonly queue: string; readonly steps: WorkerSteps; readonly slots: number }): StepWorker;
  close(): Promise<void>;
}

export interface StepWorker {
  /** Hands back what is under way; resolves within three seconds. */
  close(): Promise<void>;
}
