const keepMs = 1000;
const mostKept = 1000;

/** Remembers the sizes of objects for a second, because a map reads the same one again and again. */
export function createRecentSizes(now = () => performance.now()) {
  /** By key, the one that was noted first before the others. */
  const noted = new Map<string, { readonly sizeBytes: number; readonly until: number }>();
  return {
    get(key: string): number | undefined {
      const found = noted.get(key);
      return found !== undefined && now() < found.until ? found.sizeBytes : undefined;
    },
    set(key: string, sizeBytes: number): void {
      noted.delete(key);
      noted.set(key, { sizeBytes, until: now() + keepMs });
      const [oldest] = noted.keys();
      if (noted.size > mostKept && oldest !== undefined) noted.delete(oldest);
    },
    forget: (key: string) => void noted.delete(key),
  };
}
