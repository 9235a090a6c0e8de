import { signal } from '@preact/signals';
import { heldWords } from './hold.ts';
import type { Language } from './languages.ts';
import { language } from './words.ts';

type Loaders<W> = Readonly<Record<Language, () => Promise<W>>>;

/** The words of a screen and their language. */
export interface Locale<W> {
  readonly words: W;
  readonly language: Language;
}

/**
 * Creates words that are loaded with their screen. The returned function gives them in the language of the page, or in
 * the previous language while that loads; it throws before the first words are loaded.
 */
export function lazyWords<W extends object>(loaders: Loaders<W>) {
  const loaded = signal<readonly Locale<W>[]>([]);
  const locale = (): Locale<W> => {
    const all = loaded.value;
    const found = all.find((each) => each.language === language()) ?? all.at(-1);
    if (found === undefined) throw new Error('the words of this screen are not loaded');
    return found;
  };
  const load = async (wanted: Language): Promise<void> => {
    if (loaded.peek().some((each) => each.language === wanted)) return;
    const words = heldWords(await loaders[wanted]());
    loaded.value = [...loaded.peek(), { words, language: wanted }];
  };
  return Object.assign(() => locale().words, { locale, load });
}
