import { useTitle } from '../../parts/hooks.ts';
import { may } from '../../service/capabilities.ts';
import { ChooseFiles } from '../../uploads/drop-zone.tsx';
import { words } from '../../words/words.ts';
import { halted, isLoading } from './demonstration-state.ts';
import { Failure } from '../../parts/loading.tsx';
import { Refused } from '../../service/fetch.ts';

/** The sources of the files of the demonstration, as their licences require. */
const sources = [
  { name: 'relief', from: 'SRTM 1″, hydrosolutions/exzeco-flood-risk-assessment', licence: 'MIT' },
  { name: 'districts', from: 'arodionoff/geokz', licence: 'CC BY 4.0' },
  {
    name: 'landscape',
    from: 'SRTM 1″, hydrosolutions/exzeco-flood-risk-assessment',
    licence: 'MIT',
  },
  { name: 'population', from: 'open-data-kazakhstan/population-projections-by-regions', licence: 'PDDL 1.0' },
] as const;

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
      <details class="small">
        <summary>{welcome.sources}</summary>
        <ul>
          {sources.map(({ name, from, licence }) => (
            <li key={name}>
              {welcome[name]}:{' '}
              <span lang="en">
                {from} · {licence}
              </span>
            </li>
          ))}
        </ul>
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
