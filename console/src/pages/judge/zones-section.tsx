import { notAllocableCode } from '../../../../common/landscape/zoning.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { formatParts } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { formatDifference } from './difference.ts';
import type { JudgedLand } from './model.ts';
import type { JudgeWords } from './words/words.ts';
import type { LandscapeGraph } from '../../service/types.ts';

interface ZonesSectionProps {
  readonly graph: LandscapeGraph;
  readonly judged: JudgedLand;
  readonly words: JudgeWords;
}

/** Hectares of each class of the zoning, in the run and with the settings on the screen. */
export function ZonesSection({ graph, judged, words }: ZonesSectionProps) {
  const { land, unit, before, after, mapped } = judged;
  const entries = graph.nodes.at(-1)?.legend.entries ?? [];
  const rows = [
    ...entries.map(({ value, label, color }) => {
      const isFixed = value === notAllocableCode;
      const [was, is] = isFixed
        ? [land.not_allocable_ha, land.not_allocable_ha]
        : [before.get(value) ?? 0, after.get(value) ?? 0];
      return { label, color, was, is };
    }),
    { label: words.withoutZone, color: undefined, was: land.no_data_ha, is: land.no_data_ha },
  ];
  const shares = formatParts(
    rows.map(({ is }) => is),
    language(),
  );
  return (
    <section class="sheet pad" aria-labelledby="zones-title">
      <h2 id="zones-title">{words.zones}</h2>
      <p class="small muted">
        {unit === undefined ? words.everywhere : words.chosen(nameIn(unit, language()))}
      </p>
      <table class="areas judge-zones">
        <thead>
          <tr>
            <th scope="col">{words.zone}</th>
            <th scope="col" class="number">
              {words.inRun}
            </th>
            <th scope="col" class="number">
              {words.now}
            </th>
            <th scope="col" class="number">
              {words.difference}
            </th>
            <th scope="col" class="number">
              {words.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <ZoneRow key={row.label} {...row} share={shares[index]} mapped={mapped} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.total}</th>
            <td class="number">{formatHectares(mapped, language())}</td>
            <td class="number">{formatHectares(mapped, language())}</td>
          </tr>
        </tfoot>
      </table>
      <p class="small muted">{words.rounded}</p>
    </section>
  );
}

interface ZoneRowProps {
  readonly label: string;
  /** Undefined for land without a zone. */
  readonly color: string | undefined;
  readonly was: number;
  readonly is: number;
  /** Formatted share. */
  readonly share: string | undefined;
  readonly mapped: number;
}

function ZoneRow({ label, color, was, is, share, mapped }: ZoneRowProps) {
  return (
    <tr class={was === 0 && is === 0 ? 'is-absent' : undefined}>
      <th scope="row">
        <span
          class={color === undefined ? 'swatch blank' : 'swatch'}
          style={color === undefined ? undefined : { background: color }}
          aria-hidden="true"
        />
        <span>{label}</span>
      </th>
      <td class="number">{was === 0 ? '–' : formatHectares(was, language())}</td>
      <td class="number">{is === 0 ? '–' : formatHectares(is, language())}</td>
      <td class="number">{formatDifference(is - was)}</td>
      <td class="number share">
        {is === 0 ? '' : share}
        <span class="bar" aria-hidden="true">
          <span
            style={{
              width: `${mapped === 0 ? 0 : (100 * is) / mapped}%`,
              background: color ?? 'var(--muted)',
            }}
          />
        </span>
      </td>
    </tr>
  );
}
