import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { words } from '../words/words.ts';

const everyMs = 15_000;

/** The answer of `/readyz`; `service` when nobody answers. */
type Away = 'database' | 'store' | 'service' | undefined;

/** A line above everything while something that the page needs is away. */
export function StatusLine() {
  const away = useSignal<Away>(undefined);
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.visibilityState === 'visible') away.value = await findAway();
    };
    void look();
    const timer = setInterval(() => void look(), everyMs);
    return () => clearInterval(timer);
  }, []);
  const { shell } = words();
  const sentences = { database: shell.databaseAway, store: shell.storeAway, service: shell.serviceAway };
  return (
    <div class="status-line" role="status">
      {away.value !== undefined && <p>{sentences[away.value]}</p>}
    </div>
  );
}

async function findAway(): Promise<Away> {
  try {
    const response = await fetch('./readyz');
    if (response.ok) return undefined;
    const { components }: { components?: Readonly<Record<string, string>> } = Object(await response.json());
    return components?.['object_store'] === 'unavailable' ? 'store' : 'database';
  } catch {
    return 'service';
  }
}
