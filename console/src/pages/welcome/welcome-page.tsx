import { useSignal } from '@preact/signals';
import { Refused } from '../../service/ask.ts';
import { may } from '../../service/capabilities.ts';
import { ChooseFiles } from '../../uploads/drop-zone.tsx';
import { words } from '../../words/words.ts';
import { loadDemonstration } from './demonstration.ts';

/** The page of a service without data: what this is, and how to begin. */
export function WelcomePage() {
  const { welcome } = words();
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
            {may('catalog:write') && <Demonstration />}
          </div>
          <p class="small muted">{welcome.kinds}</p>
        </>
      ) : (
        <p>{welcome.noRight}</p>
      )}
    </section>
  );
}

function Demonstration() {
  const { welcome, failure: failures } = words();
  const isLoading = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const load = async (): Promise<void> => {
    isLoading.value = true;
    failure.value = undefined;
    try {
      await loadDemonstration();
    } catch (error) {
      failure.value = (error instanceof Refused && error.message) || failures.network;
      isLoading.value = false;
    }
  };
  return (
    <>
      <button type="button" class="button" disabled={isLoading.value} onClick={() => void load()}>
        {isLoading.value ? welcome.loading : welcome.load}
      </button>
      <p class="small muted demonstration">{welcome.what}</p>
      <p class="wrong" role="alert">
        {failure.value}
      </p>
    </>
  );
}
