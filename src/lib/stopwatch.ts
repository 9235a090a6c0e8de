/** Measures seconds per step. */
export interface Stopwatch {
  /** Runs `work` and adds its duration to the step, also if it fails. */
  time<T>(step: string, work: () => T | Promise<T>): Promise<T>;
  /** Returns the seconds per step, to the millisecond. */
  seconds(): Record<string, number>;
}

export function createStopwatch(): Stopwatch {
  const millisecondsByStep = new Map<string, number>();
  return {
    async time(step, work) {
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        const before = millisecondsByStep.get(step) ?? 0;
        millisecondsByStep.set(step, before + performance.now() - startedAt);
      }
    },
    seconds() {
      const rounded = [...millisecondsByStep].map(([step, ms]) => [step, Math.round(ms) / 1000] as const);
      return Object.fromEntries(rounded);
    },
  };
}
