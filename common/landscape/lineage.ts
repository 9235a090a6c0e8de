interface Step {
  readonly dataset_id: string;
  readonly title: string | null;
  readonly inputs: readonly string[];
}

/** Returns the title of the slot or node for which a raster was made of this dataset; undefined if there is none, or if it has a title of its own. */
export function titleOfUser(step: Step, steps: readonly Step[]): string | undefined {
  if (step.title !== null) return undefined;
  const user = steps.find(({ title, inputs }) => title !== null && inputs.includes(step.dataset_id));
  return user?.title ?? undefined;
}
