import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Words } from '../words/languages.ts';
import { words } from '../words/words.ts';

const everyMs = 15_000;
/** One missed answer may only mean a busy machine, so an outage is reported after two failed checks in a row. */
const againAfterMs = 4000;
/** Time limit for an answer. After it the service counts as unreachable. */
const timeoutMs = 10_000;

type Sentence = Extract<keyof Words['shell'], `${string}Away` | 'ending'>;

/** The sentences about the components in the answer of `/readyz`. */
const sentencesOf: ReadonlyMap<string, Sentence> = new Map([
  ['database', 'databaseAway'],
  ['object_store', 'storeAway'],
  ['message_queue', 'queueAway'],
]);

/** A line at the top of the page while something that the page needs is unavailable. */
export function StatusLine() {
  const away = useSignal<readonly Sentence[]>([]);
  useEffect(() => {
    let before: readonly Sentence[] = [];
    let again: ReturnType<typeof setTimeout> | undefined;
    const check = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return;
      const found = await findUnavailable();
      const sure = found.filter((name) => before.includes(name));
      before = found;
      if (sure.join() !== away.peek().join()) away.value = sure;
      clearTimeout(again);
      if (sure.length < found.length) again = setTimeout(() => void check(), againAfterMs);
    };
    void check();
    const timer = setInterval(() => void check(), everyMs);
    const seen = (): void => void check();
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(timer);
      clearTimeout(again);
      document.removeEventListener('visibilitychange', seen);
    };
  }, []);
  const { shell } = words();
  return (
    <div class="status-line" role="status">
      {away.value.length > 0 && <p>{away.value.map((name) => shell[name]).join(' ')}</p>}
    </div>
  );
}

/** Finds what is unavailable, as far as the service reports it. A service that names nothing is about to shut down. */
async function findUnavailable(): Promise<readonly Sentence[]> {
  try {
    const response = await fetch('./readyz', { signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return [];
    const { components }: { components?: unknown } = Object(await response.json());
    if (typeof components !== 'object' || components === null) return ['serviceAway'];
    const names = Object.entries(components).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
    return names.length === 0 ? ['ending'] : names.map((name) => sentencesOf.get(name) ?? 'partAway');
  } catch {
    return ['serviceAway'];
  }
}
