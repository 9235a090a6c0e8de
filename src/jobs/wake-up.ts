/** Any number of rings while nobody waits are one; whoever waits next returns at once. */
export interface Doorbell {
  ring(): void;
  /** Resolves at the next ring with true, and after `ms` milliseconds with false. */
  wait(ms: number): Promise<boolean>;
}

export function createDoorbell(): Doorbell {
  let rung = false;
  let answer: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      answer?.();
    },
    async wait(ms) {
      if (!rung) {
        const waiting = Promise.withResolvers<void>();
        const timer = setTimeout(waiting.resolve, ms);
        answer = waiting.resolve;
        await waiting.promise;
        answer = undefined;
        clearTimeout(timer);
      }
      const heard = rung;
      rung = false;
      return heard;
    },
  };
}
