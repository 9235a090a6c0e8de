import { useSignal } from '@preact/signals';
import { replaceQuery } from '../../address/address.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import type { CompareState } from './compare-address.ts';
import type { CompareWords } from './words/words.ts';
import type { RunComparison } from '../../service/types.ts';

interface UnitsProps {
  readonly comparison: RunComparison;
  readonly state: CompareState;
  readonly words: CompareWords;
}

const first = 12;

/** The changes in each unit, the most changed unit first. */
export function UnitsTable({ comparison, state, words }: UnitsProps) {
  const isWhole = useSignal(false);
  const { units: text } = words;
  const { units } = comparison;
  const shown = isWhole.value ? units : units.slice(0, first);
  const hasLost = comparison.only_a_ha > 0;
  const hasGained = comparison.only_b_ha > 0;
  return (
    <section class="sheet pad stack" aria-labelledby="compare-units">
      <div class="compare-head">
        <h2 id="compare-units">{text.title}</h2>
        <div class="segments" role="group" aria-labelledby="compare-units">
          {(['district', 'region'] as const).map((by) => (
            <button
              key={by}
              type="button"
              aria-pressed={state.by === by}
              onClick={() => replaceQuery({ by: by === 'district' ? undefined : by, unit: undefined })}
            >
              {text[by]}
            </button>
          ))}
        </div>
      </div>
      {units.length === 0 ? (
        <p>{text.none}</p>
      ) : (
        <table class="areas units">
          <thead>
            <tr>
              <th scope="col">{text.unit}</th>
              <th scope="col" class="number">
                {text.changed}
              </th>
              <th scope="col" class="number">
                {text.share}
              </th>
              {hasLost && (
                <th scope="col" class="number more">
                  {text.onlyA}
                </th>
              )}
              {hasGained && (
                <th scope="col" class="number more">
                  {text.onlyB}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((unit) => (
              <tr key={unit.kato}>
                <th scope="row">
                  <button
                    type="button"

                    aria-pressed={state.unit === unit.kato}
                    aria-label={text.show(unit.name)}
                    onClick={() => replaceQuery({ unit: state.unit === unit.kato ? undefined : unit.kato })}
                  >
                    {unit.name}
                  </button>
                </th>
                <Figures land={unit} {...{ hasLost, hasGained }} />
              </tr>
            ))}
            {hasLand(comparison.rest) && (
              <tr>
                <th scope="row" class="muted">
                  {text.rest}
                </th>
                <Figures land={comparison.rest} {...{ hasLost, hasGained }} />
              </tr>
            )}
          </tbody>
        </table>
      )}
      {shown.length < units.length && (
        <button type="button" class="button" onClick={() => void (isWhole.value = true)}>
          {text.more(units.length - shown.length)}
        </button>
      )}
      {units.length > 0 && <p class="small muted">{text.note}</p>}
    </section>
  );
}

type Land = RunComparison['rest'];

const hasLand = (land: Land): boolean =>
  land.changed_ha + land.unchanged_ha + land.only_a_ha + land.only_b_ha > 0;

interface FiguresProps {
  readonly land: Land;
  /** True if any land has a class in the first run alone. */
  readonly hasLost: boolean;
  /** True if any land has a class in the second run alone. */
  readonly hasGained: boolean;
}

function Figures({ land, hasLost, hasGained }: FiguresProps) {
  const { changed_ha: changed, unchanged_ha: unchanged, only_a_ha: onlyA, only_b_ha: onlyB } = land;
  const inBoth = changed + unchanged;
  const share = inBoth === 0 ? 0 : changed / inBoth;
  return (
    <>
      <td class="number">{areaOf(changed)}</td>
      <td class="number share">
        {inBoth === 0 ? '–' : formatShare(share, language())}
        <span class="bar" aria-hidden="true">
          <span style={{ width: `${100 * share}%`, background: 'var(--accent)' }} />
        </span>
      </td>
      {hasLost && <td class="number more">{areaOf(onlyA)}</td>}
      {hasGained && <td class="number more">{areaOf(onlyB)}</td>}
    </>
  );
}

const areaOf = (hectares: number): string => (hectares === 0 ? '–' : formatHectares(hectares, language()));
