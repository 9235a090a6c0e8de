import { useMemo, useRef } from 'preact/hooks';
import { notAllocableCell } from '../../../../common/landscape/cells.ts';
import type { ZoningCase } from '../../../../common/landscape/zoning.ts';
import { address } from '../../address/address.ts';
import { classColoursOf } from '../../map/layers/class-colours.ts';
import { type Counted, useCounted, type Counting, getCounted } from '../../service/counted.ts';
import { keepRequest, readRequest } from '../../service/run-request.ts';
import { language } from '../../words/words.ts';
import { ContestedSection } from './contested-section.tsx';
import { MapColumn } from './map-column.tsx';
import { MattersSection } from './matters-section.tsx';
import { cellsIn, drawingsOf, judgeBy, type View, views, zoningOf } from './model.ts';
import { SettingsSection } from './settings-section.tsx';
import { StabilitySection } from './stability-section.tsx';
import { UnitsSection } from './units-section.tsx';
import { ZonesSection } from './zones-section.tsx';
import type { JudgeWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';
import type { Balance, LandscapeGraph, LandscapeRun } from '../../service/types.ts';

interface JudgedProps {
  readonly run: LandscapeRun;
  /** The graph with the parameters of the run as defaults. */
  readonly graph: LandscapeGraph;
  /** The graph with its own defaults. */
  readonly defaultGraph: LandscapeGraph;
  readonly balance: Balance;
  /** True while the units in the address load. */
  readonly isStale: boolean;
  /** Undefined if the zoning of the run was deleted. */
  readonly zoningId: string | undefined;
  readonly words: JudgeWords;
  readonly locale: MapLocale;
}

/** Requests wait until settings have not changed for this time; figures that the page computes itself appear at once. */
const debounceMs = 250;

/** The figures of a run beside its map, for the settings in the address. */
export function Judged(props: JudgedProps) {
  const { run, graph, defaultGraph, balance, zoningId, isStale, words, locale } = props;
  const { query } = address.value;
  const { misread: _misread, ...request } = readRequest(query, graph.params);
  const asked = JSON.stringify(request.params);
  const shown = useMemo(() => zoningOf(graph.params, request), [graph, asked]);
  const counted = useMemo(() => cellsIn(balance), [balance]);
  const judge = useMemo(() => judgeBy(counted, balance.run_params, shown), [counted, shown]);
  const rows = useMemo(
    () => balance.units.map((unit) => judge(unit, unit)).filter(({ mapped }) => mapped > 0),
    [balance, judge],
  );
  const total = useMemo(() => judge(balance.raster), [balance, judge]);
  const outside = useMemo(() => judge(balance.outside_units), [balance, judge]);
  const unit = query.get('unit') ?? undefined;
  const chosen = rows.find((judged) => judged.unit?.kato === unit);
  const place = chosen ?? total;

  // Without a chosen unit only figures of the whole grid are shown; there are few regions.
  const units = { by: chosen === undefined ? 'region' : balance.by, kato: chosen?.unit?.kato } as const;
  const key = `${run.id} ${JSON.stringify([units, shown])} ${language()}`;
  const judging = { path: { id: run.id }, query: queryOf(units, shown) };
  const conflicts = useCase(
    `conflicts ${key}`,
    async (asking) => await getCounted('/landscape/runs/{id}/conflicts', { ...judging, ...asking }),
  );
  const sensitivity = useCase(
    `sensitivity ${key}`,
    async (asking) => await getCounted('/landscape/runs/{id}/sensitivity', { ...judging, ...asking }),
  );
  const stability = useCase(
    `stability ${key}`,
    async (asking) => await getCounted('/landscape/runs/{id}/stability', { ...judging, ...asking }),
  );

  const wantedView = query.get('view');
  const view: View = views.find((each) => each === wantedView) ?? 'zones';
  const onlyCode = query.has('class') ? Number(query.get('class')) : undefined;
  const onlySet = query.get('set') ?? undefined;
  const isHatched = query.has('hatch');
  const legend = graph.nodes.at(-1)?.legend.entries ?? [];
  const sets = conflicts.value?.sets;
  const kinds = stability.value?.legend;
  const colours = useMemo(() => {
    const facts = {
      run: balance.run_params,
      shown,
      colours: new Map(legend.map(({ value, color }) => [value, color])),
      onlyCode,
      onlySet,
      isHatched,
      sets: sets ?? [],
      legend: kinds ?? [],
    };
    return classColoursOf(notAllocableCell, drawingsOf(view, facts));
  }, [balance.run_params, shown, view, onlyCode, onlySet, isHatched, sets, kinds, graph]);

  const common = { graph, words };
  const keep = (changed: typeof request): void => keepRequest(changed, graph.params);
  return (
    <div class="judge-columns">
      <SettingsSection
        {...common}
        run={run}
        defaultGraph={defaultGraph}
        request={request}
        onChange={keep}
        counted={counted}
        place={place}
        total={total}
      />
      <MapColumn
        {...common}
        run={run}
        zoningId={zoningId}
        colours={colours}
        view={view}
        onlyCode={onlyCode}
        onlySet={onlySet}
        isHatched={isHatched}
        sets={sets ?? []}
        kinds={kinds ?? []}
        level={balance.by === 'region' ? 'region' : 'district'}
        unit={unit}
        shown={shown}
        before={balance.run_params}
        sentence={conflicts.value?.chosen_by_order.sentence ?? balance.chosen_by_order.sentence}
        locale={locale}
      />
      <div class="judge-figures">
        <ZonesSection {...common} judged={place} />
        <UnitsSection
          {...common}
          rows={rows}
          total={total}
          outside={outside}
          by={balance.by}
          isStale={isStale}
          unit={unit}
        />
        <MattersSection
          {...common}
          runId={run.id}
          sensitivity={sensitivity}
          unit={chosen?.unit?.kato}
          onTry={(params) => keep({ ...request, params })}
        />
        <ContestedSection {...common} conflicts={conflicts} unit={chosen?.unit?.kato} onlySet={onlySet} />
        <StabilitySection {...common} stability={stability} unit={chosen?.unit?.kato} />
        <Method balance={balance} words={words} />
      </div>
    </div>
  );
}

/** Parameters of a case for one unit, or for all of a level without one. */
function queryOf(
  { by, kato }: { readonly by: Balance['by']; readonly kato: string | undefined },
  zoning: ZoningCase,
): URLSearchParams {
  const parameters = Object.entries({ by, kato: kato ?? '', ...zoning });
  return new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
}

/** Requests the case on the screen after it has not changed for a moment. */
function useCase<T>(key: string, load: (asking: Counting) => Promise<T>): Counted<T> {
  const hasAsked = useRef(false);
  return useCounted(key, async (asking) => {
    if (hasAsked.current) await new Promise((resolve) => setTimeout(resolve, debounceMs));
    asking.signal.throwIfAborted();
    hasAsked.current = true;
    return await load(asking);
  });
}

function Method({ balance, words }: { readonly balance: Balance; readonly words: JudgeWords }) {
  return (
    <details class="judge-method">
      <summary>{words.method}</summary>
      {words.methodText.map((text) => (
        <p key={text} class="small">
          {text}
        </p>
      ))}
      <p class="small">{words.version(balance.districts_version)}</p>
    </details>
  );
}
