import './watch.css';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../../../address/address.ts';
import { formatHectares } from '../../../../../common/formats/hectares.ts';
import { useAction } from '../../../parts/hooks.ts';
import { Failure, Waiting } from '../../../parts/loading.tsx';
import { may } from '../../../service/capabilities.ts';
import { useResource } from '../../../service/resource.ts';
import { changes } from '../../../uploads/follow.ts';
import { formatShare } from '../../../../../common/formats/shares.ts';
import { formatMoment } from '../../../../../common/formats/days.ts';
import { language } from '../../../words/words.ts';
import { RecordState, RunSign } from '../facts/signs.tsx';
import { useRepeated, isNewsOfRuns, useEvents } from '../facts/use-run.ts';
import { watchWords } from '../words/words.ts';
import type { LandscapeWatch } from '../../../service/types.ts';
import { getCounted } from '../../../service/counted.ts';
import { get, put, remove } from '../../../service/request.ts';
import { zoningCode } from '../../../../../common/landscape/zoning.ts';

const renewMs = 4000;
const defaultHold = 'PT30M';

interface WatchProps {
  readonly watch: LandscapeWatch;
}

/** The watch over the inputs: its switch, the changes that it waits for, and its last draft. */
export function WatchPanel() {
  const text = watchWords();
  const { resource, reload } = useResource(
    `watch ${language()}`,
    async (signal) => await get('/landscape/watch', { signal }),
    changes.value,
  );
  const { value, failure, isLoading } = resource.value;
  useRepeated(reload, {
    isWaiting: value !== undefined && value.on !== null && !isLoading,
    everyMs: renewMs,
    since: resource.value,
  });
  return (
    <section class="sheet pad stack watch-panel" aria-labelledby="watch-title">
      <h2 id="watch-title">{text.title}</h2>
      <p class="small muted">{text.lead}</p>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && (
        <>
          <Switch watch={value} onChanged={reload} />
          <p role="status">{stateOf(value)}</p>
          <Changed changed={value.changed} />
          {value.last !== null && <LastDraft watch={value} />}
        </>
      )}
    </section>
  );
}

function Switch({ watch, onChanged }: WatchProps & { readonly onChanged: () => void }) {
  const text = watchWords();
  const hold = useSignal(watch.hold ?? defaultHold);
  /** The choice of the person, until the service confirms it. */
  const wanted = useSignal<boolean | undefined>(undefined);
  useEffect(() => void (wanted.value = undefined), [watch]);
  const changing = useAction(async () => {
    try {
      if (wanted.peek() === false) await remove('/landscape/watch', {});
      else await put('/landscape/watch', { body: { on: 'input', hold: hold.peek() } });
    } catch (error) {
      wanted.value = undefined;
      throw error;
    }
    onChanged();
  });
  const isOn = watch.on !== null;
  const set = (isWanted: boolean): void => {
    wanted.value = isWanted;
    changing.run();
  };
  if (!may('landscape:run')) return undefined;
  const holdNames: Readonly<Record<string, string>> = text.holds;
  const holds = [...new Set([...Object.keys(text.holds), hold.value])];
  return (
    <div class="watch-switch">
      <label>
        <input
          type="checkbox"
          checked={wanted.value ?? isOn}
          disabled={changing.isRunning}
          onChange={({ currentTarget: { checked } }) => set(checked)}
        />{' '}
        {text.on}
      </label>
      <label class="field">
        <span>{text.hold}</span>
        <select
          value={hold.value}
          disabled={changing.isRunning}
          onChange={({ currentTarget: { value } }) => {
            hold.value = value;
            if (isOn) set(true);
          }}
        >
          {holds.map((value) => (
            <option key={value} value={value}>
              {holdNames[value] ?? value}
            </option>
          ))}
        </select>
      </label>
      <p class="wrong" role="alert">
        {changing.failure}
      </p>
    </div>
  );
}

function stateOf({ state, waiting_until: until, outcome }: LandscapeWatch): string {
  const text = watchWords();
  if (state === 'waiting' && until !== null) return `◔ ${text.waiting(formatMoment(until, language()))}`;
  if (state !== 'idle')
    return `${state === 'off' ? '–' : '◔'} ${text.states[state === 'off' ? 'off' : 'run_in_progress']}`;
  const decided = outcome === null ? '' : text.outcomes[outcome.result];
  return [`✓ ${text.states.idle}`, decided, outcome?.error].filter(Boolean).join(' ');
}

/** The inputs that have changed. */
function Changed({ changed }: { readonly changed: LandscapeWatch['changed'] }) {
  const text = watchWords();
  if (changed.length === 0) return undefined;
  const nameOf = (raster: LandscapeWatch['changed'][number]['to']) =>
    raster === null ? text.none : (raster.name ?? text.deleted);
  return (
    <ul class="small watch-changes">
      {changed.map(({ group, title, from, to }) => (
        <li key={group}>
          <strong>{title}</strong>: {nameOf(from)} → {nameOf(to)}
        </li>
      ))}
    </ul>
  );
}

function LastDraft({ watch }: WatchProps) {
  const text = watchWords();
  const { last, adopted_run_id: adopted } = watch;
  if (last === null) return undefined;
  return (
    <div class="watch-last">
      <h3>{text.last}</h3>
      <p>
        <a href={hrefOf(['landscape', 'runs', last.run_id])}>{last.name ?? last.run_id}</a>{' '}
        <span class="small muted">{formatMoment(last.made_at, language())}</span>
      </p>
      <p class="small">
        <RunSign state={last.status} /> · <RecordState state={last.record_state} /> {last.error}
      </p>
      <Changed changed={last.changed} />
      {last.comparison !== null && adopted !== null && <Difference adopted={adopted} draft={last.run_id} />}
      {adopted === null && <p class="small muted">{text.noAdopted}</p>}
    </div>
  );
}

/** The land whose zone differs from that in the adopted run. */
function Difference({ adopted, draft }: { readonly adopted: string; readonly draft: string }) {
  const text = watchWords();
  const { resource, reload } = useResource(
    `${adopted} ${draft} ${language()}`,
    async (signal) =>
      await getCounted('/landscape/runs/{a}/compare/{b}', {
        path: { a: adopted, b: draft },
        query: { node: zoningCode, by: 'region' },
        signal,
        onCounting: () => undefined,
      }),
  );
  const { value, failure } = resource.value;
  return (
    <>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <p class="small muted">{text.counting}</p>}
      {value !== undefined && (
        <p>
          {text.changed(
            formatHectares(value.changed_ha, language()),
            formatShare(value.changed_share ?? 0, language()),
          )}
        </p>
      )}
      <a class="button" href={hrefOf(['landscape', 'compare', adopted, draft])}>
        {text.compare}
      </a>
    </>
  );
}

/** The draft of the watch that awaits a decision. */
export function DraftBanner() {
  const text = watchWords();
  const { resource, reload } = useResource(
    `watch ${language()}`,
    async (signal) => await get('/landscape/watch', { signal }),
  );
  useEvents(reload, { isWanted: true, isAbout: isNewsOfRuns, key: '' });
  const { value, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  const last = value?.last ?? undefined;
  if (value === undefined || last?.record_state !== 'draft' || last.status !== 'succeeded') return undefined;
  const { adopted_run_id: adopted } = value;
  return (
    <div class="notice waits" role="status">
      <p>
        <span aria-hidden="true">◔</span> {text.waitsFor}{' '}
        <a href={hrefOf(['landscape', 'runs', last.run_id])}>{last.name ?? last.run_id}</a>
      </p>
      {last.comparison !== null && adopted !== null && (
        <a class="button" href={hrefOf(['landscape', 'compare', adopted, last.run_id])}>
          {text.compare}
        </a>
      )}
    </div>
  );
}
