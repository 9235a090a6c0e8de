// The workflow engine runs this file in a sandbox, again and again from the start: it must do the same each time, and import no value.

/** What the workflow of a pass knows; results are in rows. */
export interface PassInput {
  readonly runId: string;
  readonly blocks: number;
  /** The codes of the nodes whose outputs are published in one step. */
  readonly outputs: readonly (readonly string[])[];
  /** The first block that is not begun. */
  readonly next: number;
}

/** The steps of a pass; each resolves when its results are in rows. */
export interface PassSteps {
  computeBlock(input: { readonly runId: string; readonly place: number }): Promise<void>;
  /** Fails the run when all pixels together say that a source is not fit. */
  judgePixels(input: { readonly runId: string }): Promise<void>;
  publishOutputs(input: { readonly runId: string; readonly codes: readonly string[] }): Promise<void>;
}

/** One call of a step. */
export interface StepCall {
  /** Aborts when the step is not wanted any more, or the worker ends. */
  readonly signal: AbortSignal;
}

/**
 * Carries a pass through its steps. @param shouldRenew says when the history of the workflow has become long.
 * @returns the block with which a workflow of its own has to go on; undefined when all is done.
 */
export async function carryPass(
  { runId, blocks, outputs, next }: PassInput,
  steps: PassSteps,
  { atOnce, shouldRenew }: { readonly atOnce: number; readonly shouldRenew: () => boolean },
): Promise<number | undefined> {
  let place = next;
  const takeBlocks = async (): Promise<void> => {
    while (place < blocks && !shouldRenew()) {
      const own = place;
      place += 1;
      await steps.computeBlock({ runId, place: own });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, blocks - next) }, takeBlocks));
  if (place < blocks) return place;
  await steps.judgePixels({ runId });
  await Promise.all(outputs.map(async (codes) => await steps.publishOutputs({ runId, codes })));
  return undefined;
}
