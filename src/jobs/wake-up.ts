/** A wake-up call within a process. Notifications while nobody waits count as one, and end the next wait at once. */
export interface WakeUp {
  notify(): void;
  /** Resolves with true at the next notification, and with false after `ms` milliseconds. */
  wait(ms: number): Promise<boolean>;
}

export function createWakeUp(): WakeUp {
  let isNotified = false;
  let answer: (() => void) | undefined;
  return {
    notify() {
      isNotified = true;
      answer?.();
    },
    async wait(ms) {
      if (!isNotified) {
        const waiting = Promise.withResolvers<void>();
        const timer = setTimeout(waiting.resolve, ms);
        answer = waiting.resolve;
        await waiting.promise;
        answer = undefined;
        clearTimeout(timer);
      }
      const heard = isNotified;
      isNotified = false;
      return heard;
    },
  };
}
