import type { WorkflowEngine } from '../landscape/spread/workflow-engine.ts';
import type { WorkflowEngineAddress } from './address.ts';

/** Facts about a workflow engine. */
export interface EngineFacts {
  /** Such as `1.32.1`. */
  readonly serverVersion: string;
  /** Retention of ended workflows, in hours; undefined when the namespace does not exist. */
  readonly retentionHours: number | undefined;
}

/** Receives messages for the operator. */
interface EngineLog {
  info(event: object, message: string): void;
  warn(event: object, message: string): void;
}

/** The package for a workflow engine, which is loaded only if WORKFLOW_ENGINE_URL is set. */
export interface EnginePackage {
  /** Requests the version of the server and its namespace. @throws the error that prevents an answer within five seconds. */
  examine(address: WorkflowEngineAddress): Promise<EngineFacts>;
  /**
   * Opens the engine that executes passes; the server does not have to be available yet.
   * @throws when a file in the address cannot be read.
   */
  open(address: WorkflowEngineAddress, log: EngineLog): Promise<WorkflowEngine>;
}
