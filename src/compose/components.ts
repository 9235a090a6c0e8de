import type { DatabaseConnection } from '../database/connect.ts';
import type { Listener } from '../database/listener.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { ObjectStore } from '../object-store/object-store.ts';

/** The three components that every role works with, open. */
export interface Components extends DatabaseConnection {
  /** The process's one connection that hears what the database announces. */
  readonly listener: Listener;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  close(): Promise<void>;
}
