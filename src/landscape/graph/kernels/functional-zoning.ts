import { classNoData } from '../../model/bands.ts';
import { allocableLand } from './allocable.ts';

interface Synthesis {
  readonly allocable: Uint8Array;
  /** E, 1 to 5. */
  readonly sensitivity: Uint8Array;
  /** 1 to 5. */
  readonly leadingSector: Uint8Array;
  /** 1 to 3. */
  readonly useZone: Uint8Array;
}

const conservation = 31;
const reserve = 32;
const notAllocable = 40;

/**
 * Functional zoning: 10 + sector in V1, 20 + sector in V2; in V3 31 (conservation) where E is 4 or 5, else 32 (reserve,
 * improvement); 40 where land can not be allotted.
 */
export function codeFunctionalZoning(
  { allocable, sensitivity, leadingSector, useZone }: Synthesis,
  zoning: Uint8Array,
): void {
  for (let i = 0; i < zoning.length; i++) {
    const land = allocable[i] ?? classNoData;
    const e = sensitivity[i] ?? classNoData;
    const sector = leadingSector[i] ?? classNoData;
    const v = useZone[i] ?? classNoData;
    if (land > allocableLand) zoning[i] = notAllocable;
    else if (land === classNoData || e === classNoData || sector === classNoData || v === classNoData) {
      zoning[i] = classNoData;
    } else if (v === 3) zoning[i] = e >= 4 ? conservation : reserve;
    else zoning[i] = 10 * v + sector;
  }
}
