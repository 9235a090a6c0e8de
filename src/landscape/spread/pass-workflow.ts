// The workflow engine runs this file in a sandbox, again and again from the start: it must do the same each time, and import no value.

/** The input of the workflow of a pass; results are in the database. */
export interface PassInput {
  readonly runId: string;
  readonly blocks: number;
  /** Groups of node codes whose outputs are published in one step. */
  readonly outputs: readonly (readonly string[])[];
  /** The first block that has not started. */
  readonly next: number;
}

/** The steps of a pass; each resolves when its results are stored in the database. */
export interface PassSteps {
  computeBlock(input: { readonly runId: string; readonly place: number }): Promise<void>;
  /** Fails the run if all pixels together show that a source is unfit. */
  judgePixels(input: { readonly runId: string }): Promise<void>;
  publishOutputs(input: { readonly runId: string; readonly codes: readonly string[] }): Promise<void>;
}

/** One call of a step. */
export interface StepCall {
  /** Aborts when the step is no longer needed, or the worker stops. */
  readonly signal: AbortSignal;
}

/**
 * Executes the steps of a pass.
 * @param shouldRenew returns whether the history of the workflow has become long.
 * @returns the block with which a new workflow continues; undefined when all steps are done.
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
