import { useEffect } from 'preact/hooks';
import { address } from '../../address/address.ts';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { Refused, refusedOf } from '../../service/fetch.ts';
import type { GroupFreshness, LandscapeGraph, LandscapePlan, LandscapeSlot } from '../../service/types.ts';
import { useResource } from '../../service/resource.ts';
import { dragged } from '../../uploads/drop-zone.tsx';
import { isEnd } from '../../service/follow-status.ts';
import { changes, follow } from '../../uploads/follow.ts';
import { uploads } from '../../uploads/uploads.ts';
import { language } from '../../words/words.ts';
import { MorePanel } from './more-panel.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { namesIn, unnamedIn } from './plan-words.ts';
import { keepRequest, planRun, readRequest, type RunRequest, withPin } from '../../service/run-request.ts';
import { get, post } from '../../service/request.ts';
import { isUsable, severityOf } from './slot-notes.ts';
import { SlotRow } from './slot-row.tsx';
import { WatchPanel } from '../runs/watch/watch-panel.tsx';
import './inputs.css';
import { inputsWords } from './words/words.ts';
import type { ComponentChildren } from 'preact';
import { SectorOrder, type SettingsProps, ThresholdFields } from './zones/zone-settings.tsx';
import { ZonesTable } from './zones/zones-table.tsx';

/** A plan is requested after no change for this time. */
const debounceMs = 250;

/** The inputs and parameters of the Landscape Program, and the plan of a run with them. */
export function InputsPage() {
  const words = inputsWords();
  useTitle(words.title);
  const graph = useResource(
    `graph ${language()}`,
    async (signal) => await get('/landscape/graph', { signal }),
  );
  const slots = useResource(
    `slots ${language()}`,
    async (signal) => await get('/landscape/slots', { signal }),
    changes.value,
  );
  const freshness = useResource(
    'freshness',
    async (signal) => await get('/dataset-groups/freshness', { signal }),
    changes.value,
  );
  useReloadOnReturn();
  const [graphNow, slotsNow] = [graph.resource.value, slots.resource.value];
  const failure = graphNow.failure ?? slotsNow.failure ?? freshness.resource.value.failure;
  const retry = (): void => {
    if (graphNow.failure !== undefined) graph.reload();
    if (slotsNow.failure !== undefined) slots.reload();
    if (freshness.resource.value.failure !== undefined) freshness.reload();
  };
  return (
    <div class="landscape-inputs">
      <div class="page-head">
        <h1 tabIndex={-1}>{words.title}</h1>
        <p class="muted">{words.lead}</p>
      </div>
      {failure !== undefined && <Failure failure={failure} retry={retry} />}
      {graphNow.value !== undefined && slotsNow.value !== undefined ? (
        <InputsAndPlan
          graph={graphNow.value}
          slots={slotsNow.value}
          freshness={freshness.resource.value.value ?? []}
        />
      ) : (
        failure === undefined && <Waiting />
      )}
    </div>
  );
}

interface LoadedProps {
  readonly graph: LandscapeGraph;
  readonly slots: readonly LandscapeSlot[];
  /** Freshness of the groups that have a cadence. */
  readonly freshness: readonly GroupFreshness[];
}

function InputsAndPlan({ graph, slots, freshness }: LoadedProps) {
  const words = inputsWords();
  const { misread, ...request } = readRequest(address.value.query, graph.params);
  const keep = (wanted: RunRequest): void => keepRequest(wanted, graph.params);
  const plan = usePlan(request);
  const planned = plan.resource.value;
  useWaiting(planned.value);
  useCounting(planned.value, plan.reload);
  const names = useNames(planned.value);
  const gaps = useGaps(planned.value);
  const settings = { graph, request, onChange: keep, words };
  const inputOf = (group: string) => planned.value?.inputs.find((input) => input.group === group);
  const ready = slots.filter((slot) => {
    const input = inputOf(slot.code);
    return input === undefined ? slot.latest?.status === 'ready' : isUsable(input);
  }).length;
  const isDefault =
    Object.keys({ ...request.params, ...request.overrides }).length === 0 && request.from_stage === null;
  return (
    <>
      {misread.length > 0 && (
        <p class="misread small" role="status">
          {words.misread} <code>{misread.join(', ')}</code>
        </p>
      )}
      <div class="landscape-columns">
        <section aria-labelledby="inputs-title">
          <h2 id="inputs-title">
            {ready === slots.length ? words.allReady(ready) : words.someReady(ready, slots.length)}
          </h2>
          <ol class="slots sheet">
            {slots.map((slot, index) => {
              const facts = graph.slots.find(({ group }) => group === slot.code);
              if (facts === undefined) return undefined;
              return (
                <SlotRow
                  key={slot.code}
                  place={index + 1}
                  facts={facts}
                  slot={slot}
                  freshness={freshness.find(({ group_id: id }) => id === slot.group_id)}
                  input={inputOf(slot.code)}
                  gaps={gaps.resource.value.value}
                  pinned={request.overrides[slot.code]}
                  onPin={(id) => keep(withPin(request, slot.code, id))}
                  words={words}
                />
              );
            })}
          </ol>
        </section>
        <div class="landscape-side">
          <ZonesPanel {...settings}>
            <MorePanel {...settings} names={names} />
            {!isDefault && (
              <button
                type="button"
                class="button quiet to-defaults"
                onClick={() => keep({ params: {}, overrides: {}, from_stage: null })}
              >
                {words.defaults}
              </button>
            )}
          </ZonesPanel>
          <PlanPanel
            {...settings}
            plan={planned}
            reload={plan.reload}
            gaps={gaps.resource.value}
            estimate={gaps.reload}
            names={names}
          />
          <WatchPanel />
        </div>
      </div>
      {dragged.value !== undefined && (
        <p class="drop-hint" role="status">
          {words.drop}
        </p>
      )}
    </>
  );
}

/** Requests the plan after each change of the settings or of the data, one request at a time. */
function usePlan(request: RunRequest) {
  const key = `${language()} ${JSON.stringify(request)}`;
  return useResource(
    key,
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, debounceMs));
      signal.throwIfAborted();
      return await planRun(request, signal);
    },
    changes.value,
  );
}

/** Follows the datasets that a run would use when they are ready, unless the list of uploads follows them. */
function useWaiting(plan: LandscapePlan | undefined): void {
  const waiting = (plan?.inputs ?? []).flatMap(({ waiting }) => (waiting === null ? [] : [waiting]));
  const inWork = waiting.filter(({ status }) => !isEnd(status));
  const key = inWork.map(({ id, status }) => `${id} ${status}`).join(',');
  useEffect(() => {
    const others = inWork.filter(
      ({ id }) => !uploads.peek().some((upload) => upload.state === 'sent' && upload.datasetId === id),
    );
    const stops = others.map(({ id, status }) =>
      follow(id, status, (seen) => {
        if (seen instanceof Refused && seen.status === 404) changes.value += 1;
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [key]);
}

/** Interval of requests for the plan while values of its inputs are counted. */
const countingMs = 5000;

/** Requests the plan again until all of its inputs are judged. */
function useCounting(plan: LandscapePlan | undefined, reload: () => void): void {
  const isCounting = plan?.inputs.some((input) => severityOf(input) === 'waits') === true;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setTimeout(reload, countingMs);
    return () => clearTimeout(timer);
  }, [isCounting, plan]);
}

/** Estimates the holes of a run with the inputs of a plan; they do not depend on thresholds. */
function useGaps(plan: LandscapePlan | undefined) {
  const isComplete = plan !== undefined && plan.missing.length === 0 && plan.error === null;
  const read = isComplete ? plan.inputs.map(({ group, dataset }) => `${group}:${dataset?.id}`) : [];
  return useResource(`gaps ${read.join(',')}`, async (signal) =>
    isComplete
      ? await post('/landscape/gaps', { body: { overrides: plan.overrides }, isBackground: true, signal })
      : undefined,
  );
}

/** The names of all datasets in a plan; deleted datasets have none. */
function useNames(plan: LandscapePlan | undefined): ReadonlyMap<string, string> {
  const ids = plan === undefined ? [] : unnamedIn(plan);
  const { value } = useResource(`names ${ids.join(',')}`, async (signal) => {
    const names = ids.map(async (id) => await nameOf(id, signal));
    return new Map((await Promise.all(names)).filter((entry) => entry !== undefined));
  }).resource.value;
  return new Map([...(value ?? []), ...(plan === undefined ? [] : namesIn(plan))]);
}

async function nameOf(id: string, signal: AbortSignal): Promise<readonly [string, string] | undefined> {
  try {
    return [id, (await get('/datasets/{id}', { path: { id }, signal })).name];
  } catch (error) {
    if (refusedOf(error).status === 404) return undefined;
    throw error;
  }
}

/** Reloads when the reader returns to the tab, since others may have uploaded files. */
function useReloadOnReturn(): void {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') changes.value += 1;
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
}

/** The thresholds with the resulting zones, and the order of the sectors. */
function ZonesPanel({ children, ...props }: SettingsProps & { readonly children: ComponentChildren }) {
  const { words } = props;
  return (
    <section class="sheet pad stack zones-panel" aria-labelledby="zones-title">
      <h2 id="zones-title">{words.decides}</h2>
      <div class="zones">
        <ZonesTable {...props} />
        <div class="thresholds">
          <ThresholdFields {...props} />
          <SectorOrder {...props} />
        </div>
      </div>
      {children}
    </section>
  );
}
