import type { JudgeWords } from './words/words.ts';
import type { LandscapeGraph } from '../../service/types.ts';

/** Names competing sectors, such as `Snow retention ↔ Crop`; null stands for all sets except the largest. */
export function titleOfSet(
  sectors: readonly number[] | null,
  { sectors: known }: Pick<LandscapeGraph, 'sectors'>,
  { otherSets }: Pick<JudgeWords, 'otherSets'>,
): string {
  if (sectors === null) return otherSets;
  return sectors
    .map((number) => known.find((sector) => sector.number === number)?.title ?? String(number))
    .join(' ↔ ');
}
