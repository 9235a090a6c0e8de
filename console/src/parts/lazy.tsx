import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { type Attributes, type ComponentChildren, type ComponentType, createElement } from 'preact';
import { useEffect } from 'preact/hooks';
import { Refused } from '../service/ask.ts';
import { words } from '../words/words.ts';
import { Failure, Waiting } from './loading.tsx';

interface Lazy<Props> {
  readonly load: () => Promise<void>;
  /** Undefined until it is loaded. */
  readonly part: ReadonlySignal<ComponentType<Props> | undefined>;
}

/** A part of the page whose script comes when it is opened, not before. */
export function lazy<Props>(load: () => Promise<ComponentType<Props>>): Lazy<Props> {
  const part = signal<ComponentType<Props> | undefined>(undefined);
  return { part, load: async () => void (part.value = await load()) };
}

/** Returns the part, or what is shown while its script comes. */
export function useLoaded<Props>({ part, load }: Lazy<Props>, props: Props & Attributes): ComponentChildren {
  const failure = useSignal<Refused | undefined>(undefined);
  useEffect(() => {
    // It may have come between the drawing of the page and here.
    if (part.peek() !== undefined) return;
    const start = async () => {
      try {
        await load();
      } catch {
        failure.value = new Refused('', { status: 0 });
      }
    };
    void start();
  }, []);
  if (part.value !== undefined) return createElement(part.value, props);
  // A browser does not ask again for a script that has failed; after an update of the service it has another name.
  if (failure.value !== undefined)
    return <Failure failure={failure.value} retry={() => location.reload()} title={words().failure.script} />;
  return <Waiting />;
}
