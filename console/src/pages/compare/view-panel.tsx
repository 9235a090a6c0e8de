import '../../map/readings.css';
import { replaceQuery } from '../../address/address.ts';
import { Legend } from '../../map/legend/legend.tsx';
import { asLayerFailure, loadLayer } from '../../map/layers/read-layer.ts';
import type { RasterLayerModel } from '../../map/layers/layer-model.ts';
import { mapSources } from '../../map/map-state.ts';
import { Refused } from '../../service/fetch.ts';
import { useResource } from '../../service/resource.ts';
import {
  type CompareState,
  type ShownMap,
  type Side,
  queryOfChanges,
  writeChange,
  type Change,
} from './compare-address.ts';
import { CompareMap } from './compare-map.tsx';
import { LayerChoice, mapsOf } from './layer-choice.tsx';
import type { CompareWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';
import type { LandscapeGraph, LandscapeRun, RunComparison } from '../../service/types.ts';
import { pathTo, get } from '../../service/request.ts';
import { Failure } from '../../parts/loading.tsx';
import { language } from '../../words/words.ts';
import { changeRows } from './change-rows.ts';

interface ViewProps {
  readonly runs: Readonly<Record<Side, LandscapeRun>>;
  /** Undefined until it is loaded. */
  readonly comparison: RunComparison | undefined;
  readonly node: string;
  readonly state: CompareState;
  readonly graph: LandscapeGraph;
  readonly words: CompareWords;
  readonly locale: MapLocale;
}

/** Any two maps of the runs with a divider, or the changes. */
export function ViewPanel({ runs, comparison, node, state, graph, words, locale }: ViewProps) {
  const { view } = words;
  const maps = mapsOf(runs, graph);
  const left = state.left ?? { side: 'a', key: node };
  const right = state.right ?? { side: 'b', key: node };
  const idOf = ({ side, key }: ShownMap): string | undefined =>
    maps[side].find((each) => each.key === key)?.datasetId;
  const [leftMap, rightMap] = [useMap(idOf(left)), useMap(idOf(right))];
  const tiles = useTiles(runs, node, state);
  // Runs that cannot be compared have no map of changes, but can be viewed side by side.
  const shows = comparison === undefined ? 'swipe' : state.shows;
  return (
    <section class="sheet pad stack" aria-labelledby="compare-view">
      <div class="compare-head">
        <h2 id="compare-view">{view.title}</h2>
        <div class="segments" role="group" aria-labelledby="compare-view">
          <button
            type="button"
            aria-pressed={shows === 'swipe'}
            onClick={() => replaceQuery({ show: undefined, change: undefined })}
          >
            {view.swipe}
          </button>
          <button
            type="button"
            aria-pressed={shows === 'changes'}
            disabled={comparison === undefined}
            onClick={() => replaceQuery({ show: 'changes', change: undefined })}
          >
            {view.changes}
          </button>
        </div>
      </div>
      {shows === 'swipe' && (
        <div class="swipe-choices">
          <LayerChoice label={view.left} name="left" value={left} {...{ maps, words }} />
          <LayerChoice label={view.right} name="right" value={right} {...{ maps, words }} />
        </div>
      )}
      <CompareMap
        left={leftMap.value}
        right={rightMap.value}
        changes={shows === 'changes' ? tiles : undefined}
        split={state.split}
        by={state.by}
        unit={state.unit}
        sides={{ left: left.side, right: right.side }}
        {...{ words, locale }}
      />
      {shows === 'changes' && comparison !== undefined ? (
        <ChangeLegend comparison={comparison} change={state.change} words={words} />
      ) : (
        <SwipeLegends maps={[leftMap, rightMap]} words={words} locale={locale} />
      )}
    </section>
  );
}

function useTiles(runs: ViewProps['runs'], node: string, { change }: CompareState): string {
  const compared = pathTo('/landscape/runs/{a}/compare/{b}', { path: { a: runs.a.id, b: runs.b.id } });
  return `${compared}/tiles/{z}/{x}/{y}.png?${queryOfChanges(node, change).toString()}`;
}

interface LoadedMap {
  readonly value: RasterLayerModel | undefined;
  readonly isGone: boolean;
  /** Undefined if the run has no such map. */
  readonly reload: (() => void) | undefined;
}

/** Loads the layer of a raster. */
function useMap(id: string | undefined): LoadedMap {
  const { resource, reload } = useResource(`map ${id ?? ''}`, async () => {
    if (id === undefined) return undefined;
    try {
      const layer = await loadLayer(mapSources(), id);
      return layer.kind === 'raster' ? layer : undefined;
    } catch (error) {
      throw new Refused(asLayerFailure(error).message, { status: 404 });
    }
  });
  const { value, failure, isLoading } = resource.value;
  const isCurrent = value !== undefined && value.dataset.id === id;
  return {
    value: isCurrent ? value : undefined,
    isGone: !isLoading && (failure !== undefined || !isCurrent),
    reload: id === undefined ? undefined : reload,
  };
}

interface LegendsProps {
  readonly maps: readonly LoadedMap[];
  readonly words: CompareWords;
  readonly locale: MapLocale;
}

/** The legends of both maps; a single one if they are the same. */
function SwipeLegends({ maps, words, locale }: LegendsProps) {
  const seen = new Set<string>();
  return (
    <div class="swipe-legends">
      {maps.map(({ value, isGone, reload }, index) => {
        if (isGone)
          return (
            <p key={index} class="map-layer-failed" role="alert">
              {words.view.gone}{' '}
              {reload !== undefined && (
                <button type="button" class="button quiet" onClick={reload}>
                  {words.view.again}
                </button>
              )}
            </p>
          );
        if (value === undefined) return undefined;
        const colours = JSON.stringify(value.legend);
        if (seen.has(colours)) return undefined;
        seen.add(colours);
        return (
          <details key={index} open={maps[0]?.value === value}>
            <summary>{words.view.legend}</summary>
            <Legend layer={value} locale={locale} only={undefined} without={undefined} onClass={noop} />
          </details>
        );
      })}
    </div>
  );
}
const noop = (): void => undefined;

interface LegendProps {
  readonly comparison: RunComparison;
  readonly change: Change | undefined;
  readonly words: CompareWords;
}

/** The legend of the changes; it has only the classes that changed land now has. */
function ChangeLegend({ comparison, change, words: { view } }: LegendProps) {
  const { a, b, node } = comparison;
  const asked = { path: { a: a.run_id, b: b.run_id }, query: queryOfChanges(node, change) };
  const { resource, reload } = useResource(
    `${a.run_id} ${b.run_id} ${asked.query.toString()} ${language()}`,
    async (signal) => await get('/landscape/runs/{a}/compare/{b}/legend.json', { ...asked, signal }),
  );
  const rows = changeRows(comparison);
  const reached = new Set(rows.map(({ to }) => to));
  const all = resource.value.value?.entries ?? [];
  const [lost] = change === undefined ? all.filter(({ value }) => value === undefined) : [];
  const entries = all.filter((entry) =>
    entry === lost ? reached.has(null) : entry.value === undefined || reached.has(entry.value),
  );
  const { failure } = resource.value;
  return (
    <div class="change-legend">
      {failure !== undefined && <Failure failure={failure} retry={reload} title={view.uncoloured} />}
      {change === undefined && <p class="small">{view.became}</p>}
      <ul class="small">
        {entries.map(({ label, colour }) => (
          <li key={label}>
            <span class="swatch" style={{ background: colour }} aria-hidden="true" /> {label}
          </li>
        ))}
      </ul>
      {change !== undefined && (
        <button
          type="button"
          class="button"
          key={writeChange(change)}
          onClick={() => replaceQuery({ change: undefined, show: 'changes' })}
        >
          {view.all}
        </button>
      )}
    </div>
  );
}
