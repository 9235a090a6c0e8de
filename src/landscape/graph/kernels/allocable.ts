import { classNoData } from '../../model/bands.ts';

/** The class of land that sectors compete for. */
export const allocableLand = 1;

const builtUp = 50;
const snowAndIce = 70;
const water = 80;

/**
 * What land can be allotted to a use, by land cover: 1 allocable, 2 water, 3 built-up, 4 snow and ice. What can not leaves the
 * competition of sectors first, as in LUCIS.
 */
export function classifyAllocable(
  { landCover }: { readonly landCover: Uint8Array },
  allocable: Uint8Array,
): void {
  for (let i = 0; i < allocable.length; i++) {
    const cover = landCover[i] ?? classNoData;
    if (cover === classNoData) allocable[i] = classNoData;
    else if (cover === water) allocable[i] = 2;
    else if (cover === builtUp) allocable[i] = 3;
    else if (cover === snowAndIce) allocable[i] = 4;
    else allocable[i] = allocableLand;
  }
}
