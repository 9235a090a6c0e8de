import { useSignal } from '@preact/signals';
import { hrefOf } from '../../address/address.ts';
import { Failure } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { changes } from '../../uploads/follow.ts';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { formatDay } from '../../../../common/formats/days.ts';
import { language } from '../../words/words.ts';
import { titleOf, numberedTitle } from './plan-words.ts';
import { valueIn, withParam, withPin } from '../../service/run-request.ts';
import type { SettingsProps } from './zones/zone-settings.tsx';
import type { LandscapeGraph } from '../../service/types.ts';
import { get } from '../../service/request.ts';

const windows = [512, 1024, 2048, 4096, 8192];

interface MorePanelProps extends SettingsProps {
  /** Names of pinned datasets, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Rarely changed settings: forced stages, window size, pinned maps. */
export function MorePanel(props: MorePanelProps) {
  const { graph, request, onChange, words } = props;
  const isOpen = useSignal(isUsed(props));
  return (
    <details
      class="more-panel"
      open={isOpen.value}
      onToggle={({ currentTarget }) => void (isOpen.value = currentTarget.open)}
    >
      <summary>{words.moreSettings}</summary>
      <div class="stack">
        <label class="field">
          <span>{words.from}</span>
          <select
            value={request.from_stage === null ? '' : String(request.from_stage)}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...request, from_stage: value === '' ? null : Number(value) })
            }
          >
            <option value="">{words.fromNone}</option>
            {words.stages.map((stage, number) => (
              <option key={number} value={number}>
                {stage}
              </option>
            ))}
          </select>
        </label>
        <WindowSize {...props} />
        <h3>{words.outputs}</h3>
        <p class="small muted">{words.outputsHint}</p>
        <ul class="pins">
          {Object.entries(request.overrides)
            .filter(([group]) => !isSlot(group, graph))
            .map(([group, id]) => {
              const title = numberedTitle(group, graph);
              return (
                <li key={group}>
                  <span>
                    {title} ← <a href={hrefOf(['datasets', id])}>{props.names.get(id) ?? id}</a>
                  </span>
                  <button
                    type="button"
                    class="button quiet"
                    aria-label={words.unpin(title)}
                    onClick={() => onChange(withPin(request, group, undefined))}
                  >
                    ✕
                  </button>
                </li>
              );
            })}
        </ul>
        {isOpen.value && <AddPin {...props} />}
      </div>
    </details>
  );
}

function isUsed({ graph, request }: SettingsProps): boolean {
  const groups = Object.keys(request.overrides);
  return (
    request.from_stage !== null ||
    request.params['window_size'] !== undefined ||
    groups.some((group) => !isSlot(group, graph))
  );
}

function isSlot(group: string, { slots }: LandscapeGraph): boolean {
  return slots.some((slot) => slot.group === group);
}

function WindowSize({ graph, request, onChange, words }: SettingsProps) {
  const param = graph.params.find(({ name }) => name === 'window_size');
  if (param === undefined) return undefined;
  const value = Number(valueIn(request, param));
  const options = [...new Set([...windows, value])].toSorted((one, other) => one - other);
  return (
    <label class="field" title={param.description}>
      <span>{param.title}</span>
      <select
        value={String(value)}
        onChange={(event) => onChange(withParam(request, param, Number(event.currentTarget.value)))}
      >
        {options.map((size) => (
          <option key={size} value={size}>
            {words.window(formatNumber(size, language()))}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Chooses an output, then one of its maps. The last output is not offered, since no node reads it. */
function AddPin({ graph, request, onChange, words }: SettingsProps) {
  const chosen = useSignal('');
  const group = chosen.value;
  const nodes = graph.nodes.slice(0, -1);
  const maps = useResource(
    `maps ${group}`,
    async (signal) => (group === '' ? [] : await mapsOf(group, signal)),
    changes.value,
  );
  const { value, failure, isLoading } = maps.resource.value;
  return (
    <>
      <label class="field">
        <span>{words.output}</span>
        <select value={group} onChange={(event) => void (chosen.value = event.currentTarget.value)}>
          <option value="">{words.chooseOutput}</option>
          {nodes.map(({ code, group }) => (
            <option key={code} value={group}>
              {titleOf(code, graph)}
            </option>
          ))}
        </select>
      </label>
      {failure !== undefined && <Failure failure={failure} retry={maps.reload} />}
      {group !== '' && value?.length === 0 && !isLoading && <p class="small">{words.noMaps}</p>}
      {group !== '' && value !== undefined && value.length > 0 && (
        <label class="field">
          <span>{words.map}</span>
          <select
            value=""
            onChange={({ currentTarget: { value: id } }) => {
              if (id === '') return;
              onChange(withPin(request, group, id));
              chosen.value = '';
            }}
          >
            <option value="">{words.chooseMap}</option>
            {value.map(({ id, name, created_at: created }) => (
              <option key={id} value={id}>
                {name}, {formatDay(created.slice(0, 10), language())}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

/** The ready rasters of an output group, newest first. @throws {Refused} */
async function mapsOf(group: string, signal: AbortSignal) {
  const results = await get('/landscape/results', { signal });
  const id = results.find((result) => result.group === group)?.group_id;
  if (id === undefined) return [];
  const query = { dg_id: id, status: 'ready', file_type: 'raster', page_size: 100 } as const;
  return (await get('/datasets', { query, signal })).data;
}
