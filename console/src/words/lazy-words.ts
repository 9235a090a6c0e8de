import { signal } from '@preact/signals';
import { heldWords } from './hold.ts';
import type { Language } from './languages.ts';

type Loaders<W> = Readonly<Record<Language, () => Promise<W>>>;

/** Words that come with what speaks them, and not before. */
export function lazyWords<W extends object>(loaders: Loaders<W>) {
  const loaded = signal<{ readonly [Each in Language]?: W }>({});
  return {
    async load(language: Language): Promise<W> {
      const words = heldWords(await loaders[language]());
      loaded.value = { ...loaded.peek(), [language]: words };
      return words;
    },
    /** The words in a language, where they have been loaded. */
    loaded: (language: Language): W | undefined => loaded.value[language],
  };
}
