import { signal, useSignal } from '@preact/signals';
import { type ComponentType, createElement } from 'preact';
import { useEffect } from 'preact/hooks';
import { Refused } from '../service/fetch.ts';
import type { Language } from '../words/languages.ts';
import { language, words as pageWords } from '../words/words.ts';
import { Failure, Waiting } from './loading.tsx';

interface Words {
  readonly load: (language: Language) => Promise<void>;
}

/** Makes a component whose script and words are loaded when it is first shown. */
export function lazy<Props extends object>(
  loadScript: () => Promise<ComponentType<Props>>,
  ...words: readonly Words[]
) {
  const part = signal<ComponentType<Props> | undefined>(undefined);
  const load = async (): Promise<void> => {
    const loading = words.map(async (each) => await each.load(language()));
    const [component] = await Promise.all([loadScript(), ...loading]);
    part.value = component;
  };
  function Lazy(props: Props) {
    const failure = useSignal<Refused | undefined>(undefined);
    const wanted = language();
    useEffect(() => {
      const start = async (): Promise<void> => {
        try {
          await load();
        } catch {
          // If the words of another language cannot be loaded, the part keeps its language.
          if (part.peek() === undefined) failure.value = new Refused('', { status: 0 });
        }
      };
      void start();
    }, [wanted]);
    if (part.value !== undefined) return createElement(part.value, props);
    // A browser does not request a failed script again; after an update of the service the script has another name.
    if (failure.value !== undefined)
      return (
        <Failure failure={failure.value} retry={() => location.reload()} title={pageWords().failure.script} />
      );
    return <Waiting />;
  }
  return Object.assign(Lazy, { load });
}
