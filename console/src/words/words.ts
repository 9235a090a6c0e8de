import { signal } from '@preact/signals';
import { heldWords } from './hold.ts';
import { type Language, languages, type Words } from './languages.ts';

const modules = {
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
} as const satisfies Record<Language, () => Promise<Words>>;

const storageKey = 'steppe.language';
const chosen = signal<{ readonly language: Language; readonly words: Words } | undefined>(undefined);

/** The words of the page in the language of the reader. @throws {Error} before `chooseLanguage` has ended */
export function words(): Words {
  return current().words;
}

/** The language of the page; before its words are loaded, the language that will be used. */
export function language(): Language {
  return chosen.value?.language ?? preferredLanguage();
}

let wanted: Language | undefined;

/**
 * Loads the words of a language and shows the page in it, unless another language is chosen meanwhile.
 * @throws {Error} if its script cannot be loaded
 */
export async function chooseLanguage(language: Language): Promise<void> {
  wanted = language;
  const words = heldWords(await modules[language]());
  if (wanted !== language) return;
  chosen.value = { language, words };
  document.documentElement.lang = language;
  keep(language);
}

/** Without storage, the choice lasts as long as the tab. */
function keep(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The page works without.
  }
}

function kept(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}

/** The language of the last visit, or the first supported language of the browser, or Russian. */
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
