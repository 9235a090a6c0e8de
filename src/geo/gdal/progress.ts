/** Minimum time between two reports of progress. */
const everyMs = 1000;

let send: ((share: number) => void) | undefined;
let toldAt = 0;

/** Sets the listener for the progress of the one request of this process. */
export function tellProgressTo(listener: (share: number) => void): void {
  send = listener;
  toldAt = performance.now();
}

/** Reports the completed share of a stage, from 0 to 1. */
export type Stage = (done: number) => void;

export const untold: Stage = () => undefined;

/** Creates a stage of the request, from one share of the whole to another; reports within a second of the last one are dropped. */
export function createStage(from: number, to: number): Stage {
  return (done) => {
    const now = performance.now();
    if (send === undefined || now - toldAt < everyMs) return;
    toldAt = now;
    send(from + (to - from) * Math.min(1, Math.max(0, done)));
  };
}

/** Requests more time than every file has. */
export class NeedsTime extends Error {
  override readonly name = 'NeedsTime';
  readonly values: number;

  constructor(values: number) {
    super(`${values} values take longer than every file may`);
    this.values = values;
  }
}
