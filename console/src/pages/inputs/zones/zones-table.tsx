import './zones.css';
import { valueIn, type RunRequest } from '../../../service/run-request.ts';
import type { SettingsProps } from './zone-settings.tsx';
import { classes, type Thresholds, zoneOf } from './zones.ts';
import type { LandscapeGraph } from '../../../service/types.ts';

interface ZonesTableProps extends Omit<SettingsProps, 'onChange'> {
  /** The land with this suitability and sensitivity, in words. */
  readonly hectares?: (s: number, e: number) => string;
}

/** The zone of each pair of suitability and sensitivity with the current thresholds. */
export function ZonesTable({ graph, request, words, hectares }: ZonesTableProps) {
  const thresholds = thresholdsIn(graph, request);
  const defaults = thresholdsIn(graph, { ...request, params: {} });
  const node = graph.nodes.find(({ params }) => params.includes('v1_min_s_e12'));
  const entries = node?.legend.entries ?? [];
  const isChanged = classes.some((s) =>
    classes.some((e) => zoneOf(s, e, thresholds) !== zoneOf(s, e, defaults)),
  );
  return (
    <div>
      <table class={hectares === undefined ? 'zones-table' : 'zones-table has-hectares'}>
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
                const isChanged = zone !== zoneOf(s, e, defaults);
                return (
                  <td
                    key={e}
                    class={isChanged ? 'is-changed' : undefined}
                    style={colour === undefined ? undefined : { background: colour, color: inkOn(colour) }}
                  >
                    V{zone}
                    {hectares !== undefined && <span class="hectares">{hectares(s, e)}</span>}
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

/** Black or white, whichever has more contrast with `#rrggbb`. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (light + 0.05) ** 2 > 0.05 * 1.05 ? '#000000' : '#ffffff';
}
