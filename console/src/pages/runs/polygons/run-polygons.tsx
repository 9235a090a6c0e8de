import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../../../../common/formats/numbers.ts';
import { hrefOf } from '../../../address/address.ts';
import { formatHectares } from '../../../../../common/formats/hectares.ts';
import { Choice, Field } from '../../../parts/fields.tsx';
import { FileLink } from '../../../parts/file-link.tsx';
import { Failure, Waiting } from '../../../parts/loading.tsx';
import { type Refused, refusedOf } from '../../../service/fetch.ts';
import { may } from '../../../service/capabilities.ts';
import { useResource } from '../../../service/resource.ts';
import { formatMoment } from '../../../../../common/formats/days.ts';
import { language, words as pageWords } from '../../../words/words.ts';
import { areasWords } from '../../areas/words/words.ts';
import { polygonsWords } from '../words/words.ts';
import type { RunPolygons as Polygons } from '../../../service/types.ts';
import { postCounted } from '../../../service/counted.ts';
import { get } from '../../../service/request.ts';

export interface PolygonsProps {
  readonly runId: string;
}

type State = 'idle' | 'making' | 'wrong' | { readonly refused: Refused };

const levels = ['district', 'region', 'all'] as const;

/** Makes polygons from the zones of a run, and lists the results with their hectares before and after. */
export function RunPolygons({ runId }: PolygonsProps) {
  const text = polygonsWords();
  const areas = areasWords();
  const state = useSignal<State>('idle');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { resource, reload } = useResource(
    `polygons ${runId} ${language()}`,
    async (signal) => await get('/landscape/runs/{id}/polygons', { path: { id: runId }, signal }),
  );
  const make = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    const written = textOf(data.get('min-area')).trim().replace(',', '.');
    const minArea = written === '' ? null : Number(written);
    const by = levels.find((level) => level === data.get('by')) ?? null;
    if (minArea !== null && !(minArea > 0 && minArea <= 1e6)) {
      state.value = 'wrong';
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    state.value = 'making';
    try {
      await postCounted('/landscape/runs/{id}/polygons', {
        path: { id: runId },
        body: { min_area_ha: minArea, by },
        signal: controller.signal,
        onCounting: () => undefined,
      });
      state.value = 'idle';
    } catch (error) {
      if (controller.signal.aborted) return;
      state.value = { refused: refusedOf(error) };
    }
    reload();
  };
  const { value: made, failure } = resource.value;
  const { value } = state;
  return (
    <div class="stack">
      <p class="muted">{text.lead}</p>
      {may('landscape:run') && (
        <form
          class="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (state.peek() !== 'making') void make(event.currentTarget);
          }}
        >
          <Field label={text.minArea} name="min-area" value="" hint={text.minAreaHint} maxLength={12} />
          <Choice
            label={text.by}
            name="by"
            value=""
            none={text.whole}
            options={levels.map((id) => ({ id, name: areas.levels[id] }))}
          />
          <p class="wrong" role="alert">
            {value === 'wrong' && text.wrong}
          </p>
          <div class="actions">
            <button type="submit" class="button primary" disabled={value === 'making'}>
              {text.make}
            </button>
          </div>
        </form>
      )}
      <p role="status" class="muted">
        {value === 'making' && text.making}
      </p>
      {typeof value === 'object' && <Failure failure={value.refused} title={text.failed} />}
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {made === undefined && failure === undefined && <Waiting />}
      {made?.length === 0 && <p class="muted">{text.none}</p>}
      {made?.map((each) => (
        <Made key={each.id} polygons={each} />
      ))}
    </div>
  );
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}

function Made({ polygons }: { readonly polygons: Polygons }) {
  const text = polygonsWords();
  const areas = areasWords();
  const { dataset_id: id, dataset_status: status, zones, zones_below_minimum: small } = polygons;
  const { min_area_ha: minArea, by, error, state } = polygons;
  const least = minArea === null ? text.allZones : text.from(formatHectares(minArea, language()));
  const cut = by === null ? text.whole : areas.levels[by];
  return (
    <div class="sheet pad stack">
      <h2>
        {least} · {cut}
      </h2>
      <p class="small muted">{formatMoment(polygons.created_at, language())}</p>
      {state === 'pending' && <p>{text.making}</p>}
      {error !== null && <p class="wrong">{error}</p>}
      {id !== null && (
        <p>
          {text.zones(zones ?? 0)} ·{' '}
          <a href={hrefOf(['datasets', id])}>
            {text.dataset}
            {status !== null && status !== 'ready' && ` (${pageWords().statuses[status]})`}
          </a>
        </p>
      )}
      {id !== null && (
        <FileLink file={{ label: 'GeoPackage', path: `./datasets/${id}/download`, name: 'zones.gpkg' }} />
      )}
      {small !== null && small > 0 && <p class="small">{text.stay(small)}</p>}
      {polygons.classes !== null && <Before classes={polygons.classes} caption={`${least}, ${cut}`} />}
    </div>
  );
}

interface BeforeProps {
  readonly classes: NonNullable<Polygons['classes']>;
  readonly caption: string;
}

/** Smaller differences, in hectares, are shown as 0. */
const leastDifferenceHa = 0.05;

/** Zones and hectares of each class before small zones were merged, and after. */
function Before({ classes, caption }: BeforeProps) {
  const text = polygonsWords();
  const signed = (hectares: number): string => {
    if (Math.abs(hectares) < leastDifferenceHa) return '0';
    return `${hectares > 0 ? '+' : '−'}${formatHectares(Math.abs(hectares), language())}`;
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
    <div class="polygons-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">{text.class}</th>
            <th scope="col" class="number">
              {text.zonesBefore}
            </th>
            <th scope="col" class="number">
              {text.zonesAfter}
            </th>
            <th scope="col" class="number">
              {text.pixels}
            </th>
            <th scope="col" class="number">
              {text.polygons}
            </th>
            <th scope="col" class="number">
              {text.difference}
            </th>
          </tr>
        </thead>
        <tbody>
          {classes.map((each) => (
            <tr key={each.value} class="row">
              <th scope="row">
                <span class="swatch" style={{ background: each.color ?? 'none' }} aria-hidden="true" />{' '}
                {each.title ?? each.value}
              </th>
              <td class="number">{formatNumber(each.zones_before, language(), 0)}</td>
              <td class="number">{formatNumber(each.zones, language(), 0)}</td>
              <td class="number">{formatHectares(each.pixels_ha, language())}</td>
              <td class="number">{formatHectares(each.polygons_ha, language())}</td>
              <td class="number">{signed(each.difference_ha)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
