import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loadedMapWords, loadMapWords } from '../words/map/map-words.ts';
import { language } from '../words/words.ts';
import type { MapSpeech } from './labels.ts';

/** The words of the map in the language of the page; undefined until they are there. */
export function useMapWords(): MapSpeech | undefined {
  const wanted = language();
  const ready = loadedMapWords(wanted);
  const speech = useSignal(ready && { words: ready, language: wanted });
  useEffect(() => {
    if (speech.peek()?.language === wanted) return undefined;
    let isCurrent = true;
    const load = async () => {
      // Where they do not come, the map goes on in the language that it has.
      const words = await loadMapWords(wanted).catch(() => undefined);
      if (isCurrent && words !== undefined) speech.value = { words, language: wanted };
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  return speech.value;
}
