import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { RunRequest } from '../../service/landscape.ts';
import type { LandscapeGraph } from '../../service/landscape-types.ts';
import type { LandscapeWords } from '../../words/landscape/words.ts';
import { moved, valueIn, withParam } from '../../service/run-request.ts';
import { classes, type Thresholds, zoneOf } from './zones.ts';

export interface SettingsProps {
  readonly graph: LandscapeGraph;
  readonly request: RunRequest;
  readonly onChange: (request: RunRequest) => void;
  readonly words: LandscapeWords['inputs'];
}

const thresholdNames = ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'] as const;

/** The thresholds with the zones that follow from them, and the order of the sectors. */
export function ZonesPanel({ children, ...props }: SettingsProps & { readonly children: ComponentChildren }) {
  const { graph, request, onChange, words } = props;
  const params = graph.params.filter(({ name }) => thresholdNames.some((each) => each === name));
  return (
    <section class="sheet pad stack zones-panel" aria-labelledby="zones-title">
      <h2 id="zones-title">{words.decides}</h2>
      <div class="zones">
        <ZonesTable {...props} />
        <div class="thresholds">
          {params.map((param) => (
            <label key={param.name} class="threshold small" title={param.description}>
              <span>{param.title}</span>
              <select
                value={String(valueIn(request, param))}
                onChange={({ currentTarget: { value } }) =>
                  onChange(withParam(request, param, Number(value)))
                }
              >
                {classes.map((value) => (
                  <option key={value} value={value}>
                    {words.least(value)}
                  </option>
                ))}
              </select>
            </label>
          ))}
          <SectorOrder {...props} />
        </div>
      </div>
      {children}
    </section>
  );
}

/** The zone of each pair of suitability and sensitivity, as the thresholds have it now. */
function ZonesTable({ graph, request, words }: SettingsProps) {
  const thresholds = thresholdsIn(graph, request);
  const usual = thresholdsIn(graph, { ...request, params: {} });
  const node = graph.nodes.find(({ params }) => params.includes('v1_min_s_e12'));
  const entries = node?.legend.entries ?? [];
  const isChanged = classes.some((s) =>
    classes.some((e) => zoneOf(s, e, thresholds) !== zoneOf(s, e, usual)),
  );
  return (
    <div>
      <table class="zones-table">
        <caption class="small muted">{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">{words.suitability}</span>
              <span aria-hidden="true">S \ E</span>
            </th>
            {classes.map((e) => (
              <th key={e} scope="col">
                <span class="visually-hidden">{words.sensitivity} </span>
                {e}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.toReversed().map((s) => (
            <tr key={s}>
              <th scope="row">
                <span class="visually-hidden">{words.suitability} </span>
                {s}
              </th>
              {classes.map((e) => {
                const zone = zoneOf(s, e, thresholds);
                const colour = entries.find(({ value }) => value === zone)?.color;
                const isChanged = zone !== zoneOf(s, e, usual);
                return (
                  <td
                    key={e}
                    class={isChanged ? 'is-changed' : undefined}
                    style={colour === undefined ? undefined : { background: colour, color: inkOn(colour) }}
                  >
                    V{zone}
                    {isChanged && <span class="visually-hidden"> {words.notAsUsual}</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="zones-legend small">
        {entries.map(({ value, color, label }) => (
          <li key={value}>
            <span class="zone-swatch" style={{ background: color }} aria-hidden="true" />
            {label}
          </li>
        ))}
      </ul>
      {isChanged && <p class="zones-note small muted">{words.underlined}</p>}
    </div>
  );
}

function thresholdsIn({ params }: LandscapeGraph, request: RunRequest): Thresholds {
  const least = (name: keyof Thresholds): number => {
    const param = params.find((each) => each.name === name);
    return param === undefined ? 1 : Number(valueIn(request, param));
  };
  return {
    v1_min_s_e12: least('v1_min_s_e12'),
    v1_min_s_e3: least('v1_min_s_e3'),
    v2_min_s_e3: least('v2_min_s_e3'),
    v2_min_s_e4: least('v2_min_s_e4'),
  };
}

/** Black or white, whichever is told apart more easily from `#rrggbb`. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (light + 0.05) ** 2 > 0.05 * 1.05 ? '#000000' : '#ffffff';
}

/** The sectors in the order in which they lead where they are equally suitable. */
function SectorOrder({ graph, request, onChange, words }: SettingsProps) {
  const said = useSignal('');
  const param = graph.params.find(({ name }) => name === 'tie_priority');
  if (param === undefined) return undefined;
  const value = valueIn(request, param);
  const order = typeof value === 'number' ? [] : value;
  const nameOf = (number: number): string =>
    graph.sectors.find((sector) => sector.number === number)?.title ?? String(number);
  const move = (place: number, by: -1 | 1): void => {
    const number = order[place];
    if (number === undefined) return;
    onChange(withParam(request, param, moved(order, place, by)));
    const next = place + by;
    said.value = words.place(nameOf(number), next + 1, order.length);
    // The row has moved, and its button may be at the end of its way.
    const isLast = next === 0 || next === order.length - 1;
    const towards = isLast ? -by : by;
    requestAnimationFrame(() => document.getElementById(`sector-${number}-${towards}`)?.focus());
  };
  return (
    <div class="sectors">
      <h3 id="order-title">{param.title}</h3>
      <p class="small muted">{words.order}</p>
      <ol class="sector-order" aria-labelledby="order-title">
        {order.map((number, place) => (
          <li key={number}>
            <span>{nameOf(number)}</span>
            {([-1, 1] as const).map((by) => (
              <button
                key={by}
                type="button"
                id={`sector-${number}-${by}`}
                class="button quiet"
                aria-label={by === -1 ? words.up(nameOf(number)) : words.down(nameOf(number))}
                disabled={order[place + by] === undefined}
                onClick={() => move(place, by)}
              >
                {by === -1 ? '▲' : '▼'}
              </button>
            ))}
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
    </div>
  );
}
