import type { TaskCall } from './handlers.ts';
import type { ProblemCode } from '../../lib/errors.ts';
import type { Sentence } from '../../lib/message.ts';

/** Messages from the api to a thread. */
export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly call: TaskCall }
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'size'; readonly id: number; readonly sizeBytes: number | undefined }
  | { readonly kind: 'unread'; readonly id: number; readonly message: string };

/** Reason of a failed call: an error of the caller; an unanswered request `read` to the object store; or an internal error. */
export type CallFailure =
  | {
      readonly kind: 'problem';
      readonly code: ProblemCode;
      readonly message: string;
      readonly sentence: Sentence | undefined;
    }
  | { readonly kind: 'unread'; readonly read: number }
  | { readonly kind: 'fault'; readonly message: string };

/** Messages from a thread to the api. */
export type FromThread =
  /** The thread has started. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: CallFailure }
  | {
      readonly kind: 'read';
      readonly id: number;
      readonly key: string;
      readonly start: number;
      readonly length: number;
    }
  | { readonly kind: 'ask-size'; readonly id: number; readonly key: string };
