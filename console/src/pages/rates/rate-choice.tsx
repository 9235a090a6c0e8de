import { formatNumber } from '../../../../common/formats/numbers.ts';
import { hrefOf } from '../../address/address.ts';
import type { UnitLayerModel } from '../../map/layers/layer-model.ts';
import type { MapState } from '../../map/map-state.ts';
import { rateLabel } from '../../map/legend/rate-label.ts';
import { useAction } from '../../parts/hooks.ts';
import { may } from '../../service/capabilities.ts';
import { datasetUnit } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import type { MapLocale } from '../../map/words/words.ts';
import { get, put } from '../../service/request.ts';

interface RateChoiceProps {
  readonly layer: UnitLayerModel;
  readonly state: MapState;
  readonly locale: MapLocale;
}

const perHectares = 1000;

/** The choice between values and rates, offered if a table has a denominator or seems to hold counts. It never changes by itself. */
export function RateChoice({ layer: { dataset, rate }, state, locale }: RateChoiceProps) {
  const { words, language } = locale;
  const { rate: text } = words;
  const { id } = dataset;
  const { resource, reload } = useResource(
    `denominator ${id} ${language}`,
    async (signal) => await get('/datasets/{id}/denominator', { path: { id }, signal }),
  );
  const choose = useAction(async () => {
    await put('/datasets/{id}/denominator', { path: { id }, body: { by: 'area', per: perHectares } });
    reload();
    await state.setRate(id, true);
  });
  const denominator = resource.value.value;
  const shown = state.shownDate.value?.start;
  const isWithoutPeriod = denominator?.periods.some(
    ({ start_date, used }) => start_date === shown && used === null,
  );
  // Without an answer the values stay, and nothing is offered.
  if (denominator === undefined) return undefined;
  if (denominator.state === 'ready')
    return (
      <fieldset class="rate-choice">
        <legend class="visually-hidden">{text.choice}</legend>
        {[
          { isRate: false, label: datasetUnit(dataset) || text.values },
          { isRate: true, label: rateLabel(denominator, locale) },
        ].map(({ isRate, label }) => (
          <label key={label}>
            <input
              type="radio"
              name={`rate ${id}`}
              checked={isRate === (rate !== undefined)}
              onChange={() => void state.setRate(id, isRate)}
            />
            {label}
          </label>
        ))}
        {rate !== undefined && isWithoutPeriod && <p class="small">{text.reasons.no_period}</p>}
      </fieldset>
    );
  const place = hrefOf(['datasets', id], { rate: '1' });
  if (denominator.state !== 'none')
    return (
      <p class="small muted">
        {denominator.message} <a href={place}>{text.other}</a>
      </p>
    );
  if (denominator.counts === null || !may('data:write')) return undefined;
  return (
    <div class="rate-offer small">
      <p class="muted">{text.because[denominator.counts]}</p>
      <button type="button" class="link" disabled={choose.isRunning} onClick={choose.run}>
        {text.perHa(formatNumber(perHectares, language))}
      </button>{' '}
      <a href={place}>{text.other}</a>
      <p class="wrong" role="alert">
        {choose.failure}
      </p>
    </div>
  );
}
