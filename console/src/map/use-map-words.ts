import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { loadMapWords } from '../words/map/map-words.ts';
import { language } from '../words/words.ts';
import type { MapSpeech } from './labels.ts';

/** The words of the map in the language of the page; undefined until they are there. */
export function useMapWords(): MapSpeech | undefined {
  const speech = useSignal<MapSpeech | undefined>(undefined);
  const wanted = language();
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const words = await loadMapWords(wanted);
      if (isCurrent) speech.value = { words, language: wanted };
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  return speech.value;
}
