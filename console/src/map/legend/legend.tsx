import { cssOf, type Rgba } from '../../../../common/maps/style/colour-map.ts';
import { formatLabel } from '../../../../common/maps/legend/labels.ts';
import { formatValue } from '../../../../common/formats/numbers.ts';
import type { LegendModel } from '../../../../common/maps/legend/model.ts';
import { Contested, followsOrder } from '../../parts/contested.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { runOutputOf } from '../../service/run-output.ts';
import { classLabel } from '../../service/graph-words.ts';
import { stopNames } from './stop-names.ts';
import { shownUnit } from './rate-label.ts';
import type { MapLocale } from '../words/words.ts';
import type { LoadedLayer } from '../layers/layer-model.ts';
import { hasUnknown, unknownOf, type WhyEmpty } from '../units/unit-history.ts';

const UnitNotes = lazy(async () => (await import('./unit-notes.tsx')).UnitNotes);
const UnitsWithout = lazy(async () => (await import('./unit-notes.tsx')).UnitsWithout);
const OriginOf = lazy(async () => (await import('../../parts/origin.tsx')).OriginOf);

export interface LegendProps {
  readonly layer: LoadedLayer;
  readonly locale: MapLocale;
  /** The class that is shown alone. */
  readonly only: number | undefined;
  /** Numbers of units without a value at the date shown, by reason; undefined if they are not counted. */
  readonly without: Readonly<Record<WhyEmpty, number>> | undefined;
  readonly onClass: (index: number) => void;
}

/** The meaning of the colours of a layer; a click on a class shows it alone. */
export function Legend({ layer, locale, only, without, onClass }: LegendProps) {
  const { words } = locale;
  const { legend, dataset, undrawn } = layer;
  const unit = shownUnit(layer, locale);
  const output = runOutputOf(dataset.meta);
  return (
    <div class="map-legend">
      {unit !== '' && <p class="small muted">{unit}</p>}
      {legend.kind === 'ramp' && (
        <Ramp stops={legend.stops} named={stopNames(dataset, legend.stops)} locale={locale} />
      )}
      {legend.kind === 'colours' && <p class="small">{words.colours}</p>}
      {legend.kind === 'classes' && (
        <ul>
          {legend.entries.map((entry, index) => {
            const { colour, sign, isHidden } = entry;
            if (isHidden) return undefined;
            const text = formatLabel(classLabel(dataset, entry), locale);
            return (
              <li key={index}>
                <button
                  type="button"
                  aria-pressed={only === index}
                  aria-label={words.showOnly(text)}
                  title={words.showOnly(text)}
                  class={only !== undefined && only !== index ? 'is-faded' : undefined}
                  disabled={layer.kind === 'vector'}
                  onClick={() => onClass(index)}
                >
                  <span class={`swatch ${sign}`} style={{ background: swatchOf(colour, layer) }} />
                  {text}
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {layer.kind === 'units' && <UnitsWithout without={without} layer={layer} words={words} />}
      {layer.kind === 'raster' && (
        <p class="no-data">
          <span class="swatch blank" />
          {words.noDataNotDrawn}
        </p>
      )}
      <OriginOf id={dataset.id} />
      {output !== undefined && followsOrder(output.node) && <Contested runId={output.runId} />}
      {layer.kind === 'units' &&
        !layer.paint.isByRules &&
        legend.kind === 'classes' &&
        legend.entries[0]?.label.kind === 'range' && <p class="small muted">{words.quantiles}</p>}
      {layer.kind === 'units' && hasUnknown(layer.series) && (
        <p class="small muted">
          {words.withoutDistrict(unknownOf(layer.series).codes, unknownOf(layer.series).rows)}
        </p>
      )}
      {layer.kind === 'units' && <UnitNotes layer={layer} locale={locale} />}
      {undrawn.length > 0 && (
        <p class="small muted">{words.keptNotDrawn(undrawn.map((part) => words.undrawn[part]).join(', '))}</p>
      )}
    </div>
  );
}

/** The colour of a class, with stripes if it is hatched. */
function swatchOf(colour: Rgba, { hatched }: LoadedLayer): string {
  const own = cssOf(colour);
  return hatched?.has(own) === true
    ? `repeating-linear-gradient(135deg, #ffffff 0 1.5px, ${own} 1.5px 6px)`
    : own;
}

function Ramp({
  stops,
  named,
  locale,
}: {
  readonly stops: Extract<LegendModel, { kind: 'ramp' }>['stops'];
  readonly named: ReturnType<typeof stopNames>;
  readonly locale: MapLocale;
}) {
  const [first] = stops;
  const last = stops.at(-1);
  if (first === undefined || last === undefined) return null;
  const span = last.value - first.value || 1;
  const colours = stops.map(
    ({ value, colour }) => `${cssOf(colour)} ${(((value - first.value) / span) * 100).toFixed(1)}%`,
  );
  const middle = first.value + span / 2;
  return (
    <div class="ramp">
      <div
        class="ramp-colours"
        style={{ backgroundImage: `linear-gradient(to right, ${colours.join(', ')})` }}
      />
      {named.length === 0 ? (
        <div class="ramp-numbers">
          {[first.value, middle, last.value].map((value, index) => (
            <span key={index}>{formatValue(value, locale.language)}</span>
          ))}
        </div>
      ) : (
        <ul class="ramp-names">
          {named.map(({ colour, label }, index) => (
            <li key={index}>
              <span class="swatch area" style={{ background: cssOf(colour) }} />
              {label}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
