/** Context of all steps: `signal` ends the programs that they run, and `lock` is the descriptor of set-up's lock. */
interface Context {
  readonly signal: AbortSignal;
  readonly lock: number | undefined;
}

interface Step {
  readonly name: string;
  readonly title: string;
  /** Names of steps that come earlier in the list. */
  readonly after?: readonly string[];
  readonly done: () => boolean;
  readonly run: (context: Context) => Promise<void>;
}

/** Runs steps side by side, in the order of `after`; returns the seconds of each that was not done yet. */
export function runSteps(
  steps: readonly Step[],
  options: { readonly stopping?: AbortController; readonly say: (line: string) => void },
): Promise<number[]>;
