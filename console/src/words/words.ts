import { signal } from '@preact/signals';
import { heldWords } from './hold.ts';
import { type Language, languages, type Words } from './languages.ts';

const modules = {
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
} as const satisfies Record<Language, () => Promise<Words>>;

const keptAs = 'steppe.language';
const chosen = signal<{ readonly language: Language; readonly words: Words } | undefined>(undefined);

/** The words of the page in the language of its reader. @throws {Error} before `chooseLanguage` has ended. */
export function words(): Words {
  return current().words;
}

/** The language of the page; before its words are there, the one in which it will speak. */
export function language(): Language {
  return chosen.value?.language ?? preferredLanguage();
}

let wanted: Language | undefined;

/**
 * Loads the words of a language and shows the page in it from now on, unless another one is chosen meanwhile.
 * @throws {Error} when its script does not come
 */
export async function chooseLanguage(language: Language): Promise<void> {
  wanted = language;
  const words = heldWords(await modules[language]());
  if (wanted !== language) return;
  chosen.value = { language, words };
  document.documentElement.lang = language;
  keep(language);
}

/** A browser that may keep nothing forgets the choice with the tab. */
function keep(language: Language): void {
  try {
    localStorage.setItem(keptAs, language);
  } catch {
    // The page works without.
  }
}

function kept(): string {
  try {
    return localStorage.getItem(keptAs) ?? '';
  } catch {
    return '';
  }
}

/** The language of the last visit, else the first one of the browser's that there are words in, else Russian. */
export function preferredLanguage(): Language {
  const wanted = [kept(), ...navigator.languages].map((tag) => tag.slice(0, 2));
  return (
    wanted.map((tag) => languages.find((each) => each === tag)).find((found) => found !== undefined) ?? 'ru'
  );
}

function current() {
  if (chosen.value === undefined) throw new Error('no language is loaded yet');
  return chosen.value;
}
