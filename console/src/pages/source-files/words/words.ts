import { lazyWords } from '../../../words/lazy-words.ts';
import type { sourceFiles } from './en.ts';

/** The words of files from which rasters are made. */
export type SourceFilesWords = typeof sourceFiles;

export const sourceFilesWords = lazyWords<SourceFilesWords>({
  en: async () => (await import('./en.ts')).sourceFiles,
  ru: async () => (await import('./ru.ts')).sourceFiles,
  kk: async () => (await import('./kk.ts')).sourceFiles,
});
