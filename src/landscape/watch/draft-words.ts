import { type Language, translate } from '../../messages/languages/translate.ts';
import { readable } from '../../lib/readable.ts';
import { watchPhrases } from '../../messages/runs/english.ts';
import { titleOfGroup } from '../../messages/graph/english.ts';
import { graphWordsIn } from '../groups/graph-words.ts';
import type { NamedRaster } from './changed-inputs.ts';
import type { InputChange } from './watch-schema.ts';

const [nameCharacters, noteCharacters] = [254, 1999];

/** Returns the title of an input, in a language. */
export function titleOfInput(language: Language, group: string): string {
  return titleOfGroup(graphWordsIn(language), group);
}

/** Writes name and note of a draft, which list the inputs that differ from those of the adopted run or of the newest one. */
export function wordsOfDraft(
  changes: readonly InputChange[],
  {
    rasters,
    hasAdopted,
    language,
  }: {
    readonly rasters: ReadonlyMap<string, NamedRaster>;
    readonly hasAdopted: boolean;
    readonly language: Language;
  },
): { readonly name: string; readonly note: string } {
  const inputs = changes.map(({ group, from, to }) => ({
    title: titleOfInput(language, group),
    month: monthOf(rasters.get(to ?? '')),
    from: nameOf(rasters, from),
    to: nameOf(rasters, to),
  }));
  const isFirst = changes.every(({ from }) => from === null);
  const note = isFirst ? watchPhrases.firstNote(inputs) : watchPhrases.note(inputs, hasAdopted);
  const name = isFirst ? watchPhrases.firstName : watchPhrases.name(inputs);
  return {
    name: readable(translate(name, language), nameCharacters),
    note: readable(translate(note, language), noteCharacters),
  };
}

function monthOf(raster: NamedRaster | undefined): string | null {
  return (raster?.end_date ?? raster?.start_date)?.slice(0, 'YYYY-MM'.length) ?? null;
}

function nameOf(rasters: ReadonlyMap<string, NamedRaster>, id: string | null): string | null {
  return id === null ? null : (rasters.get(id)?.name ?? id);
}
