import type { WorkflowEngine } from '../landscape/spread/workflow-engine.ts';
import type { WorkflowEngineAddress } from './address.ts';

/** What a workflow engine says about itself. */
export interface EngineFacts {
  /** Such as `1.32.1`. */
  readonly serverVersion: string;
  /** How long it keeps what has ended, in hours; undefined where it has no such namespace. */
  readonly retentionHours: number | undefined;
}

/** Where the package writes what an operator has to know. */
interface EngineLog {
  info(event: object, message: string): void;
  warn(event: object, message: string): void;
}

/** The package that works with a workflow engine, which is loaded only where WORKFLOW_ENGINE_URL names one. */
export interface EnginePackage {
  /** Asks the server who it is and whether it has the namespace. @throws what keeps it from answering in five seconds. */
  examine(address: WorkflowEngineAddress): Promise<EngineFacts>;
  /** Opens what carries passes; the server need not answer yet. @throws when a file that the address names cannot be read. */
  open(address: WorkflowEngineAddress, log: EngineLog): Promise<WorkflowEngine>;
}
