import { signal, useSignal } from '@preact/signals';
import { type ComponentType, createElement } from 'preact';
import { useEffect } from 'preact/hooks';
import { Refused } from '../service/ask.ts';
import type { Language } from '../words/languages.ts';
import { language, words as pageWords } from '../words/words.ts';
import { Failure, Waiting } from './loading.tsx';

interface Words {
  readonly load: (language: Language) => Promise<void>;
}

/** Makes a component of a part of the page whose script and words are loaded when it is shown for the first time. */
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
          // Without the words of another language the part goes on in the one that it has.
          if (part.peek() === undefined) failure.value = new Refused('', { status: 0 });
        }
      };
      void start();
    }, [wanted]);
    if (part.value !== undefined) return createElement(part.value, props);
    // A browser does not ask again for a script that has failed; after an update of the service it has another name.
    if (failure.value !== undefined)
      return (
        <Failure failure={failure.value} retry={() => location.reload()} title={pageWords().failure.script} />
      );
    return <Waiting />;
  }
  return Object.assign(Lazy, { load });
}
