import type { LandscapeLimits } from '../../service/limits-types.ts';

type Land = LandscapeLimits['raster'];
type Factor = LandscapeLimits['factors'][number]['factor'];

const bestClass = 5;
const leastSuitable = 3;

/** Hectares that a factor limits: in all, and those of them that nothing else limits. */
export interface Limited {
  readonly factor: Factor;
  readonly ha: number;
  readonly alone_ha: number;
}

/** What limits land below the best class, the factor that limits most first; factors that limit nothing are left out. */
export function limitedBy({ classes }: Pick<Land, 'classes'>): readonly Limited[] {
  const found = new Map<Factor, Limited>();
  for (const { factor, alone_ha: alone, with_others_ha: others } of classes.flatMap(({ limits }) => limits)) {
    const before = found.get(factor);
    found.set(factor, {
      factor,
      ha: (before?.ha ?? 0) + alone + others,
      alone_ha: (before?.alone_ha ?? 0) + alone,
    });
  }
  return [...found.values()].filter(({ ha }) => ha > 0).toSorted((one, other) => other.ha - one.ha);
}

/** The land that is rated, and below the best class. */
export function belowBest({ classes }: Pick<Land, 'classes'>): number {
  return classes.reduce((sum, { class: rating, ha }) => (rating < bestClass ? sum + ha : sum), 0);
}

/** The land of class 3 and better, as it is and if the factor of the answer were relieved. */
export function suitable({ classes }: Pick<Land, 'classes'>): {
  readonly now: number;
  readonly relieved: number;
} {
  const good = classes.filter(({ class: rating }) => rating >= leastSuitable);
  return {
    now: good.reduce((sum, { ha }) => sum + ha, 0),
    relieved: good.reduce((sum, { ha, relieved_ha: relieved }) => sum + (relieved ?? ha), 0),
  };
}
