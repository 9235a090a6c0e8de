import './zones.css';
import { useSignal } from '@preact/signals';
import { moved, valueIn, withParam, type RunRequest } from '../../../service/run-request.ts';
import { thresholds } from '../../../../../common/landscape/zoning.ts';
import { classes } from './zones.ts';
import type { InputsWords } from '../words/words.ts';
import type { LandscapeGraph } from '../../../service/types.ts';

export interface SettingsProps {
  readonly graph: LandscapeGraph;
  readonly request: RunRequest;
  readonly onChange: (request: RunRequest) => void;
  readonly words: InputsWords;
}

/** The minimum suitability for each zone: chosen from a list, or changed by a button. */
export function ThresholdFields({ graph, request, onChange, words }: SettingsProps) {
  const params = graph.params.filter(({ name }) => thresholds.some((each) => each === name));
  return (
    <>
      {params.map((param) => {
        const value = Number(valueIn(request, param));
        const id = `threshold-${param.name}`;
        const set = (wanted: number): void => onChange(withParam(request, param, wanted));
        const step = (by: -1 | 1): void => {
          set(value + by);
          // The button reaches its limit, and is disabled.
          if (value + 2 * by < 1 || value + 2 * by > 5) document.getElementById(id)?.focus();
        };
        return (
          <div key={param.name} class="threshold small">
            <label title={param.description} for={id}>
              {param.title}
            </label>
            <button
              type="button"
              class="button quiet"
              aria-label={words.lower(param.title)}
              disabled={value <= 1}
              onClick={() => step(-1)}
            >
              −
            </button>
            <select
              id={id}
              value={String(value)}
              onChange={({ currentTarget }) => set(Number(currentTarget.value))}
            >
              {classes.map((least) => (
                <option key={least} value={least}>
                  {words.least(least)}
                </option>
              ))}
            </select>
            <button
              type="button"
              class="button quiet"
              aria-label={words.raise(param.title)}
              disabled={value >= 5}
              onClick={() => step(1)}
            >
              +
            </button>
          </div>
        );
      })}
    </>
  );
}

/** The order in which sectors lead where they are equally suitable. */
export function SectorOrder({ graph, request, onChange, words }: SettingsProps) {
  const announced = useSignal('');
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
    announced.value = words.place(nameOf(number), next + 1, order.length);
    // The row has moved, and its button may be disabled at the end of the list.
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
        {announced.value}
      </p>
    </div>
  );
}
