import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { useTitle } from '../../parts/hooks.ts';
import { pageInAddress, PageLinks } from '../../parts/page-links.tsx';
import { Failure, sentenceOf, Waiting } from '../../parts/loading.tsx';
import { hasEvents } from '../../service/events.ts';
import { useResource } from '../../service/resource.ts';
import { formatDuration } from '../../../../common/formats/sizes.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { language, words as pageWords } from '../../words/words.ts';
import { countStates, hasEnded, runStateOf } from './facts/run-facts.ts';
import { DraftBanner } from './watch/watch-panel.tsx';
import { differencesOf } from './facts/run-differences.ts';
import { RecordState, RunSign } from './facts/signs.tsx';
import { isNewsOfRuns, useEvents, useRepeated } from './facts/use-run.ts';
import './runs.css';
import { runsWords } from './words/words.ts';
import type { LandscapeRun, LandscapeRunPage } from '../../service/types.ts';
import { get } from '../../service/request.ts';

const runsPerPage = 10;
const renewMs = 3000;
/** Interval of updates while events arrive, for the times that are shown. */
const pollWithEventsMs = 10_000;

/** All runs, newest first. */
export function RunsPage() {
  const text = runsWords();
  useTitle(text.title);
  const number = pageInAddress();
  const { resource, reload } = useResource(
    `runs ${number} ${language()}`,
    async (signal) =>
      await get('/landscape/runs', { query: { page: number, page_size: runsPerPage }, signal }),
  );
  const { value: page, failure, isLoading } = resource.value;
  const isMoving = page?.data.some((run) => !hasEnded(run)) === true;
  const everyMs = hasEvents.value ? pollWithEventsMs : renewMs;
  useRepeated(reload, { isWaiting: isMoving && !isLoading, everyMs, since: resource.value });
  useEvents(reload, { isWanted: true, isAbout: isNewsOfRuns, key: '' });
  return (
    <section class="runs">
      <div class="page-head">
        <h1 tabIndex={-1}>{text.title}</h1>
        {page !== undefined && page.total > 0 && <span class="muted">{text.list.count(page.total)}</span>}
      </div>
      <DraftBanner />
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {page === undefined && failure === undefined && <Waiting />}
      {page !== undefined && page.total === 0 && <NoRuns />}
      {page !== undefined && page.total > 0 && <List page={page} />}
    </section>
  );
}

function NoRuns() {
  const { list } = runsWords();
  return (
    <div class="empty">
      <p>
        <strong>{list.none}</strong>
      </p>
      <p>{list.noneText}</p>
      <a class="button primary" href={hrefOf(['landscape'])}>
        {list.toInputs}
      </a>
    </div>
  );
}

interface ListProps {
  readonly page: LandscapeRunPage;
}

function List({ page }: ListProps) {
  const { list } = runsWords();
  const graph = useResource(
    `graph ${language()}`,
    async (signal) => await get('/landscape/graph', { signal }),
  ).resource.value.value;
  // Runs with their nodes, as the rows load them: the inputs of a run distinguish it from the previous one.
  const known = useSignal<ReadonlyMap<string, LandscapeRun>>(new Map());
  const know = (run: LandscapeRun): void => void (known.value = new Map(known.peek()).set(run.id, run));
  const wholeOf = (run: LandscapeRun | undefined) => run && (known.value.get(run.id) ?? run);
  return (
    <>
      <Picked page={page} />
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">{list.compareColumn}</span>
            </th>
            <th scope="col">{list.name}</th>
            <th scope="col">{list.status}</th>
            <th scope="col">{list.record}</th>
            <th scope="col">{list.took}</th>
            <th scope="col">{list.maps}</th>
          </tr>
        </thead>
        <tbody>
          {page.data.map((run, index) => (
            <RunRow
              key={run.id}
              run={run}
              differences={
                graph === undefined
                  ? undefined
                  : differencesOf(wholeOf(run) ?? run, {
                      graph,
                      before: wholeOf(page.data[index + 1]),
                      words: runsWords(),
                    })
              }
              know={know}
            />
          ))}
        </tbody>
      </table>
      <PageLinks
        path={['landscape', 'runs']}
        page={page.page}
        pages={page.total_pages}
        label={runsWords().list.page(page.page, page.total_pages)}
      />
    </>
  );
}

/** The runs in the address that are chosen for a comparison, at most two. */
function pickedIds(): readonly string[] {
  return (address.value.query.get('pick') ?? '').split(',').filter(Boolean).slice(0, 2);
}

/** The link to the comparison of the two chosen runs, the older one first. */
function Picked({ page }: ListProps) {
  const { list } = runsWords();
  const picked = pickedIds();
  if (!page.data.some(({ status }) => status === 'succeeded')) return undefined;
  const [first, second] = page.data
    .filter(({ id }) => picked.includes(id))
    .map(({ id }) => id)
    .toReversed();
  const isWhole = first !== undefined && second !== undefined;
  const ids = isWhole ? [first, second] : picked;
  return (
    <div class="picked">
      {picked.length === 2 ? (
        <a class="button primary" href={hrefOf(['landscape', 'compare', ...ids])}>
          {list.comparePicked}
        </a>
      ) : (
        <p class="small muted">{list.pickHint}</p>
      )}
    </div>
  );
}

function Pick({ run, name }: { readonly run: LandscapeRun; readonly name: string }) {
  const picked = pickedIds();
  const isPicked = picked.includes(run.id);
  if (run.status !== 'succeeded') return undefined;
  return (
    <input
      type="checkbox"
      checked={isPicked}
      disabled={!isPicked && picked.length === 2}
      aria-label={runsWords().list.pick(name)}
      onChange={() => {
        const next = isPicked ? picked.filter((id) => id !== run.id) : [...picked, run.id];
        replaceQuery({ pick: next.join(',') });
      }}
    />
  );
}

interface RunRowProps {
  readonly run: LandscapeRun;
  /** Its differences from other runs; undefined until the graph is loaded. */
  readonly differences: readonly string[] | undefined;
  readonly know: (whole: LandscapeRun) => void;
}

/** A row of the list. The list has no nodes: those of each run are requested after it has ended, when they no longer change. */
function RunRow({ run, differences, know }: RunRowProps) {
  const text = runsWords();
  const whole = useResource(`${run.id} ${run.status} ${language()}`, async (signal) =>
    hasEnded(run) ? await get('/landscape/runs/{id}', { path: { id: run.id }, signal }) : undefined,
  );
  const loaded = whole.resource.value.value;
  useEffect(() => {
    if (loaded !== undefined) know(loaded);
  }, [loaded]);
  // The nodes may have been read before the run ended.
  const known = loaded?.status === run.status ? loaded : run;
  const { record } = run;
  const moment = formatMoment(run.created_at, language());
  const name = record?.name ?? text.runOf(moment);
  return (
    <tr class="row">
      <td class="tick">
        <Pick run={run} name={name} />
      </td>
      <th scope="row">
        <a href={hrefOf(['landscape', 'runs', run.id])}>{name}</a>
        {record?.name && <span class="small muted when">{text.runOf(moment)}</span>}
        {differences !== undefined && <span class="small muted when">{differences.join(' · ')}</span>}
      </th>
      <td>
        <RunSign state={runStateOf(known)} />
      </td>
      <td>
        <RecordState state={record?.state ?? 'draft'} />
      </td>
      <td>{timeOf(run)}</td>
      <td class="muted wide">
        {hasEnded(known) && countsOf(known)}
        {whole.resource.value.failure !== undefined && (
          <span class="small" role="alert">
            {sentenceOf(whole.resource.value.failure)}{' '}
            <button type="button" class="button quiet" onClick={whole.reload}>
              {pageWords().failure.again}
            </button>
          </span>
        )}
      </td>
    </tr>
  );
}

function timeOf({ started_at: start, finished_at: end }: LandscapeRun): string | undefined {
  if (start === null || end === null) return undefined;
  return formatDuration(Date.parse(end) - Date.parse(start), language());
}

function countsOf(run: LandscapeRun): string {
  const { counts } = runsWords();
  const states = countStates(run);
  return (['computed', 'reused'] as const)
    .flatMap((state) => (states[state] === 0 ? [] : [counts[state](states[state])]))
    .join(' · ');
}
