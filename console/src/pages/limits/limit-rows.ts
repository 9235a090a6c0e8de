import type { LandscapeLimits } from '../../service/types.ts';

type Land = LandscapeLimits['raster'];
type Factor = LandscapeLimits['factors'][number]['factor'];

const bestClass = 5;
/** Smaller differences are rounding errors. */
const leastHa = 1e-6;

/** Hectares that a factor limits: all of them, and those that it limits alone. */
export interface Limited {
  readonly factor: Factor;
  readonly ha: number;
  readonly alone_ha: number;
}

/** The factors that limit land below the best class, by descending area; factors that limit nothing are left out. */
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

/** The area of rated land below the best class. */
export function belowBest({ classes }: Pick<Land, 'classes'>): number {
  return classes.reduce((sum, { class: rating, ha }) => (rating < bestClass ? sum + ha : sum), 0);
}

/** The best class whose area would change if the limiting factor were relieved; undefined if other factors limit all of it. */
export function firstChanged({ classes }: Pick<Land, 'classes'>): Land['classes'][number] | undefined {
  return classes
    .toSorted((one, other) => other.class - one.class)
    .find(({ ha, relieved_ha: relieved }) => Math.abs((relieved ?? ha) - ha) > leastHa);
}
