import './limits.css';
import { Fragment } from 'preact';
import { address, replaceQuery } from '../../address/address.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { Failure } from '../../parts/loading.tsx';
import { useCounted, getCounted } from '../../service/counted.ts';
import { useRunOf } from '../../service/run-output.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import { belowBest, firstChanged, limitedBy } from './limit-rows.ts';
import { limitsWords } from './words/words.ts';
import type { LandscapeLimits } from '../../service/types.ts';
import { inLongTurn } from '../../service/turns.ts';

export interface LimitsProps {
  /** Code of a suitability node. */
  readonly node: string;
  /** Dataset of its map. */
  readonly id: string;
  /** True if the card is in view, so that figures are loaded. */
  readonly isSeen: boolean;
  /** True if the address names the card, so that its table is open. */
  readonly isOpen: boolean;
  /** Labels of the classes by their values. */
  readonly labels: readonly { readonly value: number; readonly label: string; readonly color: string }[];
}

/** The factors that limit a use: one sentence, and on demand hectares by class and factor with the effect of relief. */
export function LimitsPart(props: LimitsProps) {
  const { node, id, isSeen, isOpen } = props;
  const text = limitsWords();
  const run = useRunOf(id, isSeen);
  const { value: output, failure: noRun } = run.resource.value;
  const relieved = isOpen ? (address.value.query.get('relieved') ?? undefined) : undefined;
  const runId = output?.runId;
  const { value, failure, isLoading, reload } = useCounted(
    `limits ${runId} ${node} ${relieved} ${language()}`,
    async (asking) =>
      runId === undefined
        ? undefined
        : await inLongTurn(
            asking.signal,
            async () =>
              await getCounted('/landscape/runs/{id}/limits', {
                path: { id: runId },
                query: new URLSearchParams({ sector: node, by: 'all', relieved: relieved ?? '' }),
                ...asking,
              }),
          ),
  );
  const refused = noRun ?? failure;
  const isShown = isOpen && address.value.query.has('limits');
  return (
    <section class="limits">
      {refused !== undefined && (
        <Failure failure={refused} retry={noRun === undefined ? reload : run.reload} title={text.failed} />
      )}
      <p class="limits-most" role="status">
        {isLoading && isSeen && <span class="muted">{text.counting}</span>}
        {value !== undefined && !isLoading && mostOf(value)}
      </p>
      {value !== undefined && (
        <details
          open={isShown}
          onToggle={({ currentTarget: { open } }) => {
            if (open !== isShown)
              replaceQuery(open ? { node, limits: '1' } : { limits: undefined, relieved: undefined });
          }}
        >
          <summary>{text.title}</summary>
          {isShown && <Table {...props} value={value} />}
        </details>
      )}
    </section>
  );
}

/** The factor that limits most, in a sentence. */
function mostOf(value: LandscapeLimits): string {
  const text = limitsWords();
  const [most] = limitedBy(value.raster);
  if (most === undefined) return text.nothing;
  const land = belowBest(value.raster);
  const share = (area: number): string => formatShare(area / land, language());
  return text.most(titleOf(most.factor, value), share(most.ha), share(most.alone_ha));
}

function titleOf(factor: string, { factors }: LandscapeLimits): string {
  return factors.find((each) => each.factor === factor)?.title ?? factor;
}

function Table({ value, labels }: LimitsProps & { readonly value: LandscapeLimits }) {
  const text = limitsWords();
  const limiting = limitedBy(value.raster);
  const { relieved, factors, raster } = value;
  return (
    <div class="stack">
      <p class="small muted">{text.explain}</p>
      <label class="field limits-switch">
        <span>{text.relieve}</span>
        <select
          value={address.value.query.get('relieved') ?? ''}
          onChange={({ currentTarget: { value: factor } }) =>
            replaceQuery({ relieved: factor === '' ? undefined : factor })
          }
        >
          <option value="">{text.none}</option>
          {factors.map(({ factor, title }) => (
            <option key={factor} value={factor}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {relieved !== null && (
        <p class="limits-relieved" role="status">
          {reliefOf(value, labels)}
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it */}
      <div class="limits-scroll" role="region" aria-label={text.table} tabIndex={0}>
        <table class="areas">
          <caption class="visually-hidden">{text.table}</caption>
          <thead>
            <tr>
              <th scope="col">{text.class}</th>
              <th scope="col" class="number">
                {text.area}
              </th>
              {relieved !== null && (
                <th scope="col" class="number">
                  {text.relieved}
                </th>
              )}
              {limiting.map(({ factor }) => (
                <th key={factor} scope="col" class="number">
                  {titleOf(factor, value)}{' '}
                  <span class="limits-letter">{factors.find((each) => each.factor === factor)?.letter}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {raster.classes.map((each) => {
              const label = labels.find(({ value: of }) => of === each.class);
              return (
                <tr key={each.class} class={each.ha === 0 ? 'is-absent' : undefined}>
                  <th scope="row">
                    <span class="swatch" style={{ background: label?.color }} aria-hidden="true" />
                    <span>{label?.label ?? each.class}</span>
                  </th>
                  <td class="number">{areaOf(each.ha)}</td>
                  {relieved !== null && (
                    <td class="number limits-after">{areaOf(each.relieved_ha ?? each.ha)}</td>
                  )}
                  {limiting.map(({ factor }) => {
                    const own = each.limits.find((limit) => limit.factor === factor);
                    const area = (own?.alone_ha ?? 0) + (own?.with_others_ha ?? 0);
                    return (
                      <td key={factor} class="number">
                        {areaOf(area)}
                        {own !== undefined && own.alone_ha > 0 && own.with_others_ha > 0 && (
                          <span class="muted limits-alone">
                            {text.alone(formatHectares(own.alone_ha, language()))}
                          </span>
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
      <Subclasses value={value} />
    </div>
  );
}

/** The effect of the relief of a factor, in a sentence. */
function reliefOf(value: LandscapeLimits, labels: LimitsProps['labels']): string {
  const text = limitsWords();
  const factor = titleOf(value.relieved ?? '', value);
  const changed = firstChanged(value.raster);
  if (changed === undefined) return text.relievedNothing(factor);
  const { class: rating, ha, relieved_ha: after } = changed;
  const label = labels.find(({ value: of }) => of === rating)?.label ?? String(rating);
  return text.relievedText(
    factor,
    label,
    formatHectares(after ?? ha, language()),
    formatHectares(ha, language()),
  );
}

const areaOf = (area: number): string => (area === 0 ? '–' : formatHectares(area, language()));

const namedSubclasses = 6;

/** The largest FAO subclasses with their hectares. */
function Subclasses({ value }: { readonly value: LandscapeLimits }) {
  const all = value.raster.classes.flatMap(({ subclasses }) => subclasses);
  const largest = all.toSorted((one, other) => other.ha - one.ha).slice(0, namedSubclasses);
  if (largest.length === 0) return null;
  return (
    <p class="small">
      {limitsWords().subclasses}:{' '}
      {largest.map(({ subclass, ha }, index) => (
        <Fragment key={subclass}>
          {index > 0 && ', '}
          <code>{subclass}</code> {formatHectares(ha, language())}
        </Fragment>
      ))}
    </p>
  );
}
