import type { Database } from '../../database/tables/tables.ts';
import { getDataset } from '../../datasets/queries.ts';
import { getFlatGeobufKey } from '../../datasets/vector-features.ts';
import type { FeatureFiles } from '../../geo/flatgeobuf/open-file.ts';
import { readFeatures } from '../../geo/flatgeobuf/read-features.ts';
import { inputProblems } from '../../messages/inputs/english.ts';
import { maxTableValues } from '../compute/input-work.ts';
import { slotWords } from '../groups/graph-words.ts';
import { findSlotGroup } from '../groups/slots.ts';
import type { Leaf } from '../model/leaves.ts';
import { leafOf } from './made-inputs.ts';
import type { AttributeValues } from './recipe-schema.ts';

/** Limits of one request. */
const [mostFeatures, mostReads] = [500_000, 50];

/**
 * Lists the values of an attribute with the classes of a slot whose words they resemble.
 * @throws {Problem} for a dataset without features, or without the attribute
 */
export async function suggestTable(
  { db, featureFiles }: { readonly db: Database; readonly featureFiles: FeatureFiles },
  slot: string,
  { datasetId, attribute }: { readonly datasetId: string; readonly attribute: string },
): Promise<AttributeValues> {
  await findSlotGroup(db, slot);
  const file = await featureFiles.open(getFlatGeobufKey(await getDataset(db, datasetId)));
  const column = file.columns.findIndex(({ name }) => name === attribute);
  if (column < 0)
    throw inputProblems.noAttribute(
      attribute,
      file.columns.map(({ name }) => name),
    );
  const counts = new Map<string | null, number>();
  let from: number | undefined = file.features === 0 ? undefined : 0;
  let isComplete = true;
  for (let reads = 0; from !== undefined && reads < mostReads; reads += 1) {
    from = await readFeatures(featureFiles, file, {
      from,
      limit: mostFeatures,
      take({ values }) {
        const json = values.get(column);
        const value =
          json === undefined || json === 'null'
            ? null
            : json.startsWith('"')
              ? String(JSON.parse(json))
              : json;
        if (counts.has(value) || counts.size < maxTableValues)
          counts.set(value, (counts.get(value) ?? 0) + 1);
        else isComplete = false;
        return true;
      },
    });
  }
  const suggest = createSuggestions(leafOf(slot));
  return {
    values: [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .map(([value, features]) => ({ value, features, suggested: value === null ? null : suggest(value) })),
    is_complete: isComplete && from === undefined,
  };
}

/**
 * Creates a function that suggests a class for a text: its number, or the class whose words in English, Russian or Kazakh are most like
 * those of the text; null if none or several are.
 */
export function createSuggestions(leaf: Leaf): (value: string) => number | null {
  if (leaf.type === 'float32')
    return (value) => (value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null);
  const titles = (['en', 'ru', 'kk'] as const).flatMap((language) =>
    Object.entries(slotWords(language, leaf.key).classes ?? {}).map(([code, title]) => ({
      code: Number(code),
      words: wordsOf(title),
    })),
  );
  return (value) => {
    const code = value.trim() === '' ? NaN : Number(value);
    if (leaf.classes.includes(code)) return code;
    const own = wordsOf(value);
    let [best, found] = [0, new Set<number>()];
    for (const { code: each, words } of titles) {
      const score = likeness(own, words);
      if (score > best) [best, found] = [score, new Set([each])];
      else if (score === best) found.add(each);
    }
    const [only] = found;
    return best >= leastLikeness && found.size === 1 && only !== undefined ? only : null;
  };
}

const leastLikeness = 0.6;
/** Words are alike if they begin alike; endings of Russian and Kazakh words are not compared. */
const [leastStem, ending] = [4, 2];

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function areAlike(one: string, other: string): boolean {
  const stem = Math.max(leastStem, Math.min(one.length, other.length) - ending);
  return one === other || (one.length >= stem && one.slice(0, stem) === other.slice(0, stem));
}

/** Share of words that are alike among those of both texts. */
function likeness(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  const alike = one.filter((word) => other.some((each) => areAlike(word, each))).length;
  const exact = one.filter((word) => other.includes(word)).length;
  return (2 * alike + exact * 1e-3) / (one.length + other.length);
}
