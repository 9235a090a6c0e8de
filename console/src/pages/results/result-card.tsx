import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { Contested, followsOrder } from '../../parts/contested.tsx';
import { Invented } from '../../parts/origin.tsx';
import { Failure } from '../../parts/loading.tsx';
import { useRunOf } from '../../service/run-output.ts';
import type { Lineage, LandscapeGraph, LandscapeResult } from '../../service/types.ts';
import { formatPeriod, formatMoment } from '../../../../common/formats/days.ts';
import { language, words as pageWords } from '../../words/words.ts';
import { fileNameOf } from '../../parts/downloads.ts';
import { FileLink } from '../../parts/file-link.tsx';
import { LineageFiles } from '../runs/outputs/lineage-files.tsx';
import { ResultNumbers } from './result-numbers.tsx';
import { zoningCode } from '../../../../common/landscape/zoning.ts';
import { areasWords } from '../areas/words/words.ts';
import { resultsWords } from './words/words.ts';
import { lazy } from '../../parts/lazy.tsx';
import { limitsWords } from '../limits/words/words.ts';
import { fetchFromService, refusalOf } from '../../service/fetch.ts';
import { useResource } from '../../service/resource.ts';
import { inTurn } from '../../service/turns.ts';

const UnitAreas = lazy(async () => (await import('../areas/unit-areas.tsx')).UnitAreas, areasWords);
const LimitsPart = lazy(async () => (await import('../limits/limits-part.tsx')).LimitsPart, limitsWords);

type Node = LandscapeGraph['nodes'][number];
type Latest = NonNullable<LandscapeResult['latest']>;

/** The nodes that rate a use by its factors. */
const suitabilities: ReadonlySet<string> = new Set(['21', '22', '23', '24', '25']);

interface CardProps {
  readonly node: Node;
  readonly result: LandscapeResult | undefined;
  /** True if the address names the node: its card scrolls into view and shows the lineage. */
  readonly isOpen: boolean;
}

/** One map: picture, legend with areas or numbers, explanation, files, and lineage. */
export function ResultCard({ node, result, isOpen }: CardProps) {
  const text = resultsWords();
  const card = useRef<HTMLElement>(null);
  const isSeen = useSeen(card);
  const latest = result?.latest ?? undefined;
  useEffect(() => {
    if (!isOpen) return;
    card.current?.scrollIntoView({ block: 'start' });
    card.current?.querySelector<HTMLElement>('h3')?.focus({ preventScroll: true });
  }, [isOpen]);
  const id = `result-${node.code}`;
  return (
    <article ref={card} class={`sheet result ${isOpen ? 'is-open' : ''}`} aria-labelledby={id}>
      <h3 id={id} tabIndex={-1}>
        <span class="code">{node.code}</span> {node.title}
      </h3>
      {latest === undefined || result === undefined ? (
        <>
          <p class="muted">{text.noMap}</p>
          <p class="reading">{node.reading}</p>
        </>
      ) : (
        <Body node={node} result={result} latest={latest} isSeen={isSeen || isOpen} />
      )}
      {latest !== undefined && suitabilities.has(node.code) && (
        <LimitsPart
          node={node.code}
          id={latest.id}
          isSeen={isSeen || isOpen}
          isOpen={isOpen}
          labels={node.legend.entries}
        />
      )}
      {latest !== undefined && node.legend.kind === 'values' && (
        <AreasFold node={node} latest={latest} isOpen={isOpen} />
      )}
      {latest !== undefined && (
        <details
          open={isOpen}
          onToggle={(event) => {
            const { open } = event.currentTarget;
            if (open !== isOpen) replaceQuery({ node: open ? node.code : undefined });
          }}
        >
          <summary>{text.lineage}</summary>
          {isOpen && <Origin id={latest.id} isZoning={node.code === zoningCode} />}
        </details>
      )}
    </article>
  );
}

/** The areas by units; the address records the choice, so that a link opens them. */
function AreasFold({
  node,
  latest,
  isOpen,
}: {
  readonly node: Node;
  readonly latest: Latest;
  readonly isOpen: boolean;
}) {
  const isShown = isOpen && address.value.query.has('areas');
  return (
    <details
      open={isShown}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isShown)
          replaceQuery(open ? { node: node.code, areas: 'district' } : { areas: undefined });
      }}
    >
      <summary>{areasWords().title}</summary>
      {isShown && (
        <UnitAreas
          id={latest.id}
          name={node.title}
          hrefOf={(unit) => hrefOf(['map'], { l: latest.id, unit })}
        />
      )}
    </details>
  );
}

/** Returns true after an element has been in or near the viewport. */
function useSeen(element: { readonly current: HTMLElement | null }): boolean {
  const isSeen = useSignal(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        isSeen.value = true;
        observer.disconnect();
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return isSeen.value;
}

interface BodyProps {
  readonly node: Node;
  readonly result: LandscapeResult;
  readonly latest: Latest;
  readonly isSeen: boolean;
}

function Body({ node, result, latest, isSeen }: BodyProps) {
  const text = resultsWords();
  const path = `./datasets/${encodeURIComponent(latest.id)}`;
  const style = `./dataset-groups/${encodeURIComponent(result.group_id)}/sld`;
  const period = formatPeriod(latest.start_date, latest.end_date, language());
  return (
    <>
      <p class="small muted">
        {text.made(formatMoment(latest.created_at, language()))}
        {period !== undefined && ` · ${period}`}
      </p>
      {result.warning !== undefined && <Invented warning={result.warning} />}
      <div class="result-body">
        <a
          class="result-picture"
          href={hrefOf(['map'], { l: latest.id })}
          aria-label={text.onMapOf(node.title)}
        >
          <Picture id={latest.id} isWanted={isSeen} />
        </a>
        <div class="result-numbers">
          <ResultNumbers node={node} id={latest.id} isSeen={isSeen} />
          {followsOrder(node.code) && <ContestedBy id={latest.id} isSeen={isSeen} />}
          <p class="reading">{node.reading}</p>
        </div>
      </div>
      <div class="actions">
        <a class="button" href={hrefOf(['map'], { l: latest.id })} aria-label={text.onMapOf(node.title)}>
          {text.onMap} ▸
        </a>
        <FileLink
          file={{ label: 'COG', path: `${path}.cog`, name: fileNameOf(latest.name, 'tif') }}
          of={node.title}
        />
        <FileLink
          file={{ label: 'SLD', path: style, name: fileNameOf(latest.name, 'sld') }}
          of={node.title}
        />
        <a
          class="button quiet"
          href={hrefOf(['datasets', latest.id])}
          aria-label={text.datasetOf(node.title)}
        >
          {text.dataset}
        </a>
      </div>
    </>
  );
}

/** The area of a map that the order of sectors decides, from the run that computed it. */
function ContestedBy({ id, isSeen }: { readonly id: string; readonly isSeen: boolean }) {
  const { resource, reload } = useRunOf(id, isSeen);
  const { value, failure } = resource.value;
  if (failure !== undefined)
    return <Failure failure={failure} retry={reload} title={pageWords().contested.failed} />;
  return value === undefined ? null : <Contested runId={value.runId} />;
}

interface OriginProps {
  readonly id: string;
  readonly isZoning: boolean;
}

/** The run that computed a map, and its source files. */
function Origin({ id, isZoning }: OriginProps) {
  const text = resultsWords();
  const linksOf = ({ steps }: Lineage) => {
    const run = steps.find(({ dataset_id: each }) => each === id)?.run_id ?? undefined;
    if (run === undefined) return undefined;
    return (
      <p>
        <a href={hrefOf(['landscape', 'runs', run])}>{text.toRun}</a>
        {isZoning && (
          <>
            {' · '}
            <a href={hrefOf(['landscape', 'runs', run, 'judge'])}>{text.judge}</a>
          </>
        )}
      </p>
    );
  };
  return (
    <div class="stack">
      <LineageFiles id={id} text={text.files} head={linksOf} />
    </div>
  );
}

const pixels = 512;

/** The thumbnail of a raster. It is fetched on demand, with the token, which an image element cannot send. */
function Picture({ id, isWanted }: { readonly id: string; readonly isWanted: boolean }) {
  const { resource } = useResource(`picture ${id} ${isWanted}`, async (signal) =>
    isWanted ? await inTurn(signal, async () => await fetchPicture(id, signal)) : undefined,
  );
  const url = useSignal<string | undefined>(undefined);
  const { value, failure } = resource.value;
  useEffect(() => {
    if (value === undefined) return undefined;
    const made = URL.createObjectURL(value);
    url.value = made;
    return () => URL.revokeObjectURL(made);
  }, [value]);
  if (failure !== undefined) return <span class="picture is-away" />;
  return url.value === undefined ? (
    <span class="picture" />
  ) : (
    <img class="picture" src={url.value} alt="" width={pixels} height={pixels} />
  );
}

async function fetchPicture(id: string, signal: AbortSignal): Promise<Blob> {
  const path = `/datasets/${encodeURIComponent(id)}/thumbnail.png?size=${pixels}`;
  return await fetchFromService(path, { signal }, async (response) => {
    if (!response.ok) throw await refusalOf(response);
    return await response.blob();
  });
}
