import { formatHectares } from '../../../common/formats/hectares.ts';
import './areas.css';
import { formatNumber, formatValue } from '../../../common/formats/numbers.ts';
import type { BandStatistics, LegendLabel } from '../service/statistics.ts';
import { formatParts } from '../../../common/formats/shares.ts';
import { language, words } from '../words/words.ts';
import { rowsOf } from '../service/statistics.ts';

interface AreasProps {
  readonly band: BandStatistics;
  /** Labels and colours of classes, in the order of the legend; other classes follow, identified by their values. */
  readonly labels: readonly LegendLabel[];
}

/** The area of each class: hectares and the share of all pixels with a value, as numbers and as thin bars. */
export function ClassAreas({ band, labels }: AreasProps) {
  const { statistics: text } = words();
  const rows = rowsOf(band, labels);
  const total = rows.reduce((sum, { area }) => sum + area, 0);
  const shares = formatParts(
    rows.map(({ area }) => area),
    language(),
  );
  const hasHectares = band.no_data_ha !== null;
  const numberOf = (area: number): string =>
    hasHectares ? formatHectares(area, language()) : formatNumber(area, language(), 0);
  return (
    <table class="areas">
      <thead>
        <tr>
          <th scope="col">{text.class}</th>
          <th scope="col" class="number">
            {hasHectares ? text.hectares : text.pixels}
          </th>
          <th scope="col" class="number">
            {text.share}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ value, label, color, area }, index) => (
          <tr key={value} class={area === 0 ? 'is-absent' : undefined}>
            <th scope="row">
              <span class="swatch" style={{ background: color ?? 'none' }} aria-hidden="true" />
              <span>{label ?? formatValue(value, language())}</span>
            </th>
            <td class="number">{area === 0 ? '–' : numberOf(area)}</td>
            <td class="number share">
              {area === 0 ? '' : shares[index]}
              <span class="bar" aria-hidden="true">
                <span
                  style={{
                    width: `${total === 0 ? 0 : (100 * area) / total}%`,
                    background: color ?? 'var(--muted)',
                  }}
                />
              </span>
            </td>
          </tr>
        ))}
        <NoData band={band} />
      </tbody>
    </table>
  );
}

function NoData({ band }: { readonly band: BandStatistics }) {
  if (band.nodata === 0) return undefined;
  return (
    <tr>
      <th scope="row">
        <span class="swatch blank" aria-hidden="true" />
        <span>{words().statistics.noData}</span>
      </th>
      <td class="number">
        {band.no_data_ha === null
          ? formatNumber(band.nodata, language(), 0)
          : formatHectares(band.no_data_ha, language())}
      </td>
      <td class="number">–</td>
    </tr>
  );
}

/** The minimum, the mean and the maximum of a band, with its unit. */
export function Extremes({ band, unit }: { readonly band: BandStatistics; readonly unit: string | null }) {
  const { statistics: text } = words();
  const facts = [
    [text.min, band.min],
    [text.mean, band.mean],
    [text.max, band.max],
  ] as const;
  return (
    <dl class="extremes">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value === null ? '–' : formatValue(value, language())}
            {value !== null && unit !== null && unit !== '' && <span class="muted">{`\u00a0${unit}`}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
