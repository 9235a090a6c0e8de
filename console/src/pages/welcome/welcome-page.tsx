import { useSignal } from '@preact/signals';
import { useTitle } from '../../parts/hooks.ts';
import { lazy } from '../../parts/lazy.tsx';
import { may } from '../../service/capabilities.ts';
import { ChooseFiles } from '../../uploads/drop-zone.tsx';
import { words } from '../../words/words.ts';
import { halted, isLoading } from './demonstration-state.ts';
import { Failure } from '../../parts/loading.tsx';
import { Refused } from '../../service/fetch.ts';

const DemonstrationSources = lazy(
  async () => (await import('./demonstration-sources.tsx')).DemonstrationSources,
);

/** The page of a service without data: its purpose, and the first steps. */
export function WelcomePage() {
  const { welcome } = words();
  useTitle(welcome.title);
  return (
    <section class="welcome sheet" aria-labelledby="welcome-title">
      <h1 id="welcome-title" tabIndex={-1}>
        {welcome.title}
      </h1>
      <p>{welcome.text}</p>
      {may('data:write') ? (
        <>
          <div class="actions">
            <ChooseFiles label={welcome.choose} isPrimary />
          </div>
          <p class="small muted">{welcome.kinds}</p>
          {may('catalog:write') && may('landscape:run') && <Demonstration />}
        </>
      ) : (
        <p>{welcome.noRight}</p>
      )}
    </section>
  );
}

function Demonstration() {
  const { welcome } = words();
  const isOpen = useSignal(false);
  return (
    <div class="demonstration">
      <p>{welcome.what}</p>
      <div class="actions">
        <button
          type="button"
          class="button"
          disabled={isLoading.value}
          onClick={() => void startDemonstration()}
        >
          {isLoading.value ? welcome.loading : welcome.load}
        </button>
      </div>
      <details class="small" onToggle={({ currentTarget: { open } }) => void (isOpen.value = open)}>
        <summary>{welcome.sources}</summary>
        {isOpen.value && <DemonstrationSources />}
      </details>
    </div>
  );
}

/** Shows why the demonstration has stopped, above the page that is open. */
export function HaltedDemonstration() {
  if (halted.value === undefined) return undefined;
  const { failure, again, giveUp } = halted.value;
  const { welcome, shell } = words();
  return (
    <div class="halted">
      <Failure failure={failure} retry={again} title={welcome.halted} />
      <button type="button" class="button quiet" onClick={giveUp}>
        {shell.cancel}
      </button>
    </div>
  );
}

/** Loads the script of the demonstration, and runs it. */
async function startDemonstration(): Promise<void> {
  if (isLoading.peek()) return;
  isLoading.value = true;
  try {
    const { loadDemonstration } = await import('./demonstration.ts').catch(() => {
      throw new Refused('', { status: 0 });
    });
    await loadDemonstration();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    halted.value = {
      failure: error,
      again: () => location.reload(),
      giveUp: () => void (halted.value = undefined),
    };
  } finally {
    isLoading.value = false;
  }
}
