/** How fast bytes go: over the last seconds, so that it follows the network and does not jump. */
export interface Speed {
  readonly bytesPerSecond: number;
  /** Whole seconds until all is sent. */
  readonly secondsLeft: number;
}

const windowMs = 5000;

/** Creates a meter for one upload of `allBytes`. It says nothing until there is a second to judge by. */
export function createSpeedMeter(allBytes: number): (sentBytes: number, nowMs: number) => Speed | undefined {
  const samples: { readonly sentBytes: number; readonly nowMs: number }[] = [];
  return (sentBytes, nowMs) => {
    samples.push({ sentBytes, nowMs });
    while (samples.length > 2 && nowMs - (samples[1]?.nowMs ?? nowMs) >= windowMs) samples.shift();
    const [first] = samples;
    const elapsedMs = nowMs - (first?.nowMs ?? nowMs);
    const bytes = sentBytes - (first?.sentBytes ?? 0);
    if (elapsedMs < 1000 || bytes <= 0) return undefined;
    const bytesPerSecond = (bytes * 1000) / elapsedMs;
    return { bytesPerSecond, secondsLeft: Math.ceil((allBytes - sentBytes) / bytesPerSecond) };
  };
}
