/** Makes a wake-up call within a process. Notifications without a waiter count as one and end the next wait at once. */
export function createWakeUp() {
  let isNotified = false;
  let answer: (() => void) | undefined;
  return {
    notify(): void {
      isNotified = true;
      answer?.();
    },
    /** Resolves with true at the next notification, and with false after `ms` milliseconds. */
    async wait(ms: number): Promise<boolean> {
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
