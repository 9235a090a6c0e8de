import { formatValue } from '../../../../common/formats/numbers.ts';
import { formatDates } from '../../map/units/unit-series.ts';
import type { UnitLayerModel } from '../../map/layers/layer-model.ts';
import { shownUnit } from '../../map/legend/rate-label.ts';
import { periodsOf } from '../../map/units/unit-series.ts';
import { breaksOf, whyEmptyAt } from '../../map/units/unit-history.ts';
import { formatDay } from '../../../../common/formats/days.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface TableProps {
  readonly layer: UnitLayerModel;
  readonly locale: MapLocale;
  readonly nameOf: (code: string) => string;
}

/** The values of a layer of districts at all dates. */
export function ValuesTable({ layer, locale, nameOf }: TableProps) {
  const { words, language } = locale;
  const { series, dataset } = layer;
  const dates = formatDates(periodsOf(series), language);
  const whyEmpty = series.dates.map(({ start_date: start }) => whyEmptyAt(series, start));
  const unit = shownUnit(layer, locale);
  const title = words.tableOf(unit === '' ? dataset.name : `${dataset.name}, ${unit}`);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
    <div class="map-table" role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.unit}</th>
            <th scope="col">{words.code}</th>
            {dates.map((date) => (
              <th scope="col" key={date}>
                {date}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.units.map(({ kato_code: code, values }) => {
            const breaks = breaksOf(series, code);
            return (
              <tr key={code}>
                <th scope="row">{nameOf(code)}</th>
                <td>{code}</td>
                {values.map((value, index) => {
                  const broken = breaks.find(({ before }) => before === index);
                  const text = broken && words.unitTime.breakAt(formatDay(broken.date, language));
                  return (
                    <td key={index} class={typeof value === 'number' ? 'number' : undefined}>
                      {text !== undefined && (
                        <span class="break" role="img" aria-label={text} title={text}>
                          ¦{' '}
                        </span>
                      )}
                      {value === null || value === '' ? (
                        <span class="muted">{words.unitTime[whyEmpty[index]?.(code) ?? 'empty']}</span>
                      ) : (
                        formatValue(value, language)
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
