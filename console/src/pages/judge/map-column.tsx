import '../../parts/views.css';
import { useSignal } from '@preact/signals';
import { cells, notAllocableCell, sectorsOf } from '../../../../common/landscape/cells.ts';
import { codeOfCell, type ZoningCase } from '../../../../common/landscape/zoning.ts';
import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { type ClassColours, shownColour } from '../../map/layers/class-colours.ts';
import type { Level } from '../../map/units/districts.ts';
import { asLayerFailure } from '../../map/layers/read-layer.ts';
import { formatPlace } from '../../map/place/coordinates.ts';
import { cssOf } from '../../../../common/maps/style/colour-map.ts';
import { Waiting } from '../../parts/loading.tsx';
import { OriginOf } from '../../parts/origin.tsx';
import type { Conflicts, LandscapeGraph, LandscapeRun, Stability } from '../../service/types.ts';
import { useResource } from '../../service/resource.ts';
import { openCells } from './cells-raster.ts';
import { type CellReading, JudgeMap } from './judge-map.tsx';
import { neutralColour, keyOfSet, type View, views } from './model.ts';
import { titleOfSet } from './set-title.ts';
import type { JudgeWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface MapColumnProps {
  readonly run: LandscapeRun;
  readonly zoningId: string | undefined;
  readonly graph: LandscapeGraph;
  readonly colours: ClassColours;
  readonly view: View;
  readonly onlyCode: number | undefined;
  readonly onlySet: string | undefined;
  readonly isHatched: boolean;
  readonly sets: Conflicts['sets'];
  readonly kinds: readonly Stability['legend'][number][];
  readonly level: Level;
  readonly unit: string | undefined;
  readonly shown: ZoningCase;
  readonly before: ZoningCase;
  /** The sentence of the service on the area that the order decides. */
  readonly sentence: string | null;
  readonly words: JudgeWords;
  readonly locale: MapLocale;
}

/** The map of a view with its legend and the area that the order decides. */
export function MapColumn(props: MapColumnProps) {
  const {
    run,
    zoningId,
    graph,
    colours,
    view,
    isHatched,
    level,
    unit,
    shown,
    before,
    sentence,
    words,
    locale,
  } = props;
  const { path, query } = address.value;
  const reading = useSignal<CellReading | undefined>(undefined);
  const hrefAs = (wanted: View): string =>
    hrefOf(path, { ...Object.fromEntries(query), view: wanted === 'zones' ? undefined : wanted });
  return (
    <section class="judge-map" aria-label={words.view}>
      <nav class="views" aria-label={words.view}>
        {views.map((each) => (
          <a key={each} href={hrefAs(each)} aria-current={each === view ? 'true' : undefined}>
            {words.views[each]}
          </a>
        ))}
      </nav>
      {zoningId === undefined ? (
        <p class="muted">{words.noMap}</p>
      ) : (
        <Canvas
          {...{ run, zoningId, colours, level, unit, words, locale }}
          onRead={(found, code) => {
            reading.value = found;
            if (code !== undefined) replaceQuery({ unit: code });
          }}
        />
      )}
      {reading.value !== undefined && (
        <p class="small" role="status">
          {readingText(reading.value, { graph, shown, before, words, locale })}{' '}
          {zoningId !== undefined && (
            <a href={hrefOf(['map'], { l: zoningId, place: placeOf(reading.value) })}>{words.whyHere} ▸</a>
          )}
        </p>
      )}
      <Legend {...props} />
      {zoningId !== undefined && <OriginOf id={zoningId} />}
      {view === 'zones' && (
        <label class="judge-hatch small">
          <input
            type="checkbox"
            checked={isHatched}
            onChange={({ currentTarget }) => replaceQuery({ hatch: currentTarget.checked ? '1' : undefined })}
          />
          {words.hatch}
        </label>
      )}
      {sentence !== null && <p class="judge-sentence">{sentence}</p>}
    </section>
  );
}

/** A place in the format of the address of the map. */
function placeOf({ lat, lon }: CellReading): string {
  return `${lat.toFixed(6)},${lon.toFixed(6)}`;
}

interface CanvasProps {
  readonly run: LandscapeRun;
  readonly zoningId: string;
  readonly colours: ClassColours;
  readonly level: Level;
  readonly unit: string | undefined;
  readonly words: JudgeWords;
  readonly locale: MapLocale;
  readonly onRead: (reading: CellReading, unit: string | undefined) => void;
}

function Canvas({ run, zoningId, words, locale, ...map }: CanvasProps) {
  const cellsRaster = useResource(`cells ${run.id}`, async () => {
    try {
      return { raster: await openCells(run.id, zoningId) };
    } catch (error) {
      return { problem: asLayerFailure(error).problem };
    }
  });
  const { value } = cellsRaster.resource.value;
  if (value === undefined) return <Waiting />;
  if (value.raster === undefined)
    return (
      <div class="notice failed" role="alert">
        <p>{words.mapFailed}</p>
        <p>{locale.words.problem[value.problem]}</p>
        <button type="button" class="button" onClick={cellsRaster.reload}>
          {locale.words.again}
        </button>
      </div>
    );
  return <JudgeMap {...map} raster={value.raster} label={locale.words.mapLabel} locale={locale} />;
}

interface ReadingContext {
  readonly graph: LandscapeGraph;
  readonly shown: ZoningCase;
  readonly before: ZoningCase;
  readonly words: JudgeWords;
  readonly locale: MapLocale;
}

function readingText({ lat, lon, cell: number }: CellReading, context: ReadingContext): string {
  const { graph, shown, before, words, locale } = context;
  const lead = words.here(formatPlace(lat, lon, locale));
  if (number === notAllocableCell) return `${lead} ${words.hereNotAllocable}`;
  const cell = number === undefined ? undefined : cells[number - 1];
  if (cell === undefined) return `${lead} ${words.hereNothing}`;
  const sectors = sectorsOf(cell.mask).map(
    (sector) => graph.sectors.find((each) => each.number === sector)?.title ?? String(sector),
  );
  const [is, was] = [codeOfCell(cell, shown), codeOfCell(cell, before)];
  const labelOf = (code: number): string =>
    graph.nodes.at(-1)?.legend.entries.find(({ value }) => value === code)?.label ?? String(code);
  const zone = is === was ? words.hereZone(labelOf(is)) : words.hereChanged(labelOf(is), labelOf(was));
  return `${lead} ${words.hereCell(cell.s, cell.e, sectors.join(', '))} ${zone}`;
}

function Legend({ view, graph, onlyCode, onlySet, sets, kinds, words, locale }: MapColumnProps) {
  const entries = graph.nodes.at(-1)?.legend.entries ?? [];
  const note = {
    zones: undefined,
    changed: words.unchanged,
    contested: words.uncontested,
    stability: words.cannotBeAllotted,
  }[view];
  return (
    <div
      class={`map-legend judge-legend ${view === 'contested' || view === 'stability' ? 'is-wide' : ''}`}
      role="group"
      aria-label={words.legend}
    >
      <ul>
        {(view === 'zones' || view === 'changed') &&
          entries.map(({ value, label, color }) => (
            <Entry
              key={value}
              label={label}
              color={color}
              isOn={view === 'zones' && onlyCode === value}
              isFaded={view === 'zones' && onlyCode !== undefined && onlyCode !== value}
              words={words}
              {...(view === 'zones' && {
                onChoose: () => replaceQuery({ class: onlyCode === value ? undefined : String(value) }),
              })}
            />
          ))}
        {view === 'contested' &&
          sets.map(({ sectors, color }) => {
            const key = keyOfSet(sectors);
            return (
              <Entry
                key={key}
                label={titleOfSet(sectors, graph, words)}
                color={color}
                isOn={onlySet === key}
                isFaded={onlySet !== undefined && onlySet !== key}
                words={words}
                onChoose={() => replaceQuery({ set: onlySet === key ? undefined : key })}
              />
            );
          })}
        {view === 'stability' &&
          kinds.map(({ value, title, color }) => (
            <Entry key={value} label={title} color={color} isOn={false} isFaded={false} words={words} />
          ))}
      </ul>
      {note !== undefined && (
        <p class="no-data">
          <span class="swatch" style={{ background: neutralColour }} />
          {note}
        </p>
      )}
      <p class="no-data">
        <span class="swatch blank" />
        {locale.words.noDataNotDrawn}
      </p>
    </div>
  );
}

interface EntryProps {
  readonly label: string;
  readonly color: string;
  readonly isOn: boolean;
  readonly isFaded: boolean;
  readonly words: JudgeWords;
  /** Without this function, the entry cannot be shown alone. */
  readonly onChoose?: () => void;
}

function Entry({ label, color, isOn, isFaded, words, onChoose }: EntryProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isOn}
        aria-label={onChoose === undefined ? label : words.legendOf(label)}
        class={isFaded ? 'is-faded' : undefined}
        disabled={onChoose === undefined}
        onClick={onChoose}
      >
        <span class="swatch" style={{ background: cssOf(shownColour({ color })) }} />
        {label}
      </button>
    </li>
  );
}
