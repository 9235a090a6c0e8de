import { slotPrefix } from '../../service/groups.ts';
import { formatNumber, formatValue } from '../../../../common/formats/numbers.ts';
import { hrefOf } from '../../address/address.ts';
import { language } from '../../words/words.ts';
import { Changes } from './changes.tsx';
import { explainWords } from './words/words.ts';
import type { LandscapeExplanation, LandscapeRun } from '../../service/types.ts';

interface ExplanationProps {
  readonly answer: LandscapeExplanation;
  /** Undefined until it is loaded. */
  readonly run: LandscapeRun | undefined;
  /** The node of the uppermost layer. */
  readonly node: string;
}

const bestClass = 5;

type Factor = LandscapeExplanation['sectors'][number]['factors'][number];

/** The explanation in the words of the service: a sentence, the changes that would alter the zone, the limits, and the chain of reasons. */
export function Explanation(props: ExplanationProps) {
  const { answer, run } = props;
  const text = explainWords();
  return (
    <>
      <p class="explain-sentence" role="status">
        {answer.sentence}
      </p>
      {answer.missing.length > 0 && <Missing missing={answer.missing} />}
      {answer.is_on_grid && (
        <>
          {answer.code !== null && <Changes changes={answer.nearest_changes} run={run} />}
          {answer.sectors.length > 0 && <Sectors {...props} />}
          <Chain {...props} />
        </>
      )}
      {answer.notes.length > 0 && (
        <section>
          <h3>{text.notes}</h3>
          <ul class="explain-notes small">
            {answer.notes.map(({ code, text: note }) => (
              <li key={code + note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The inputs without a value, with links to those that have a row. */
function Missing({ missing }: { readonly missing: LandscapeExplanation['missing'] }) {
  return (
    <section class="explain-missing">
      <h3>{explainWords().missing}</h3>
      <ul>
        {missing.map(({ group, title, text }) => (
          <li key={group}>
            {group.startsWith(slotPrefix) ? (
              <a href={hrefOf(['landscape'], { slot: group })}>{title}</a>
            ) : (
              <strong>{title}</strong>
            )}
            <span class="small">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The suitability of the place for each use, its limiting factors, and the ratings behind them. */
function Sectors({ answer: { sectors, S: suitability } }: ExplanationProps) {
  const text = explainWords();
  return (
    <section>
      <h3>{text.limits}</h3>
      {suitability !== null && <p class="small">{suitability.text}</p>}
      <ul class="explain-sectors">
        {sectors.map((sector) => {
          const { title, value, class_title: name, factors, limits } = sector;
          // Nothing limits the best class.
          const isLimited = value !== null && value < bestClass;
          const limiting = factors.filter(({ name: factor }) => isLimited && limits.includes(factor));
          const isLeading = suitability?.leading === sector.sector;
          return (
            <li key={sector.sector} class={isLeading ? 'is-leading' : undefined}>
              <p class="explain-use">
                <strong>{title}</strong>
                <span class="explain-score">{value ?? '–'}</span>
                <span class="small muted">
                  {name ?? text.noValue}
                  {isLeading && ` · ${text.leads}`}
                  {sector.is_pinned && ` · ${text.pinned}`}
                </span>
              </p>
              {limiting.length > 0 && (
                <p class="small">
                  {text.limitedBy}: {limiting.map(({ title: limit }) => limit).join(', ')}
                </p>
              )}
              {factors.length > 0 && (
                <details class="small" open={isLeading}>
                  <summary>{text.ratings(title)}</summary>
                  <Factors factors={factors} limits={isLimited ? limits : []} />
                </details>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Factors({
  factors,
  limits,
}: {
  readonly factors: readonly Factor[];
  /** The names of the limiting factors. */
  readonly limits: readonly string[];
}) {
  const text = explainWords();
  return (
    <table class="explain-factors">
      <thead>
        <tr>
          <th scope="col">{text.factor}</th>
          <th scope="col">{text.value}</th>
          <th scope="col" class="number">
            {text.rating}
          </th>
        </tr>
      </thead>
      <tbody>
        {factors.map((factor) => (
          <tr key={factor.name} class={limits.includes(factor.name) ? 'is-limiting' : undefined}>
            <th scope="row">
              {factor.title}
              {limits.includes(factor.name) && <span class="explain-tag">{text.limiting}</span>}
            </th>
            <td>
              <Value of={factor} none={text.noValue} />
              {factor.interval !== null && <span class="muted"> ({factor.interval})</span>}
            </td>
            <td class="number">
              {factor.rating === null ? '–' : formatNumber(factor.rating, language(), 0)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Valued {
  readonly value: number | null;
  readonly class_title: string | null;
  readonly unit: string | null;
}

/** A number with its unit, or a class with its name and its number. */
function Value({
  of: { value, class_title: name, unit },
  none,
}: {
  readonly of: Valued;
  readonly none: string;
}) {
  if (value === null) return <span class="muted">{none}</span>;
  const number = formatValue(value, language());
  if (name !== null) return <>{`${number} · ${name}`}</>;
  return <>{unit === null || unit === '' ? number : `${number}\u00a0${unit}`}</>;
}

/** The inputs, the computed values, and the rule that gave the zone. */
function Chain({ answer, node }: ExplanationProps) {
  const text = explainWords();
  const { inputs, nodes, rule } = answer;
  return (
    <section>
      <h3>{text.chain}</h3>
      <ol class="explain-chain">
        <li>
          <details open>
            <summary>
              {text.inputs} <span class="muted">{inputs.length}</span>
            </summary>
            <ul>
              {inputs.map((input) => (
                <li key={input.group}>
                  <span class="explain-step">
                    <a href={hrefOf(['datasets', input.dataset_id])} title={input.file ?? input.name}>
                      {input.title}
                    </a>
                    <span class="explain-value">
                      <Value of={input} none={text.noValue} />
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          </details>
        </li>
        <li>
          <details open>
            <summary>
              {text.nodes} <span class="muted">{nodes.length}</span>
            </summary>
            <ul>
              {nodes.map((step) => (
                <li key={step.node} class={step.node === node ? 'is-here' : undefined}>
                  <span class="explain-step">
                    <span>
                      <span class="code muted">{step.node}</span>{' '}
                      <a href={hrefOf(['datasets', step.dataset_id])}>{step.title}</a>
                      {step.node === node && <span class="explain-tag">{text.onMap}</span>}
                    </span>
                    <span class="explain-value">
                      <Value of={step} none={text.noValue} />
                    </span>
                  </span>
                  <span class="small muted">{step.text}</span>
                </li>
              ))}
            </ul>
          </details>
        </li>
        {rule !== null && (
          <li>
            <p class="explain-rule">{text.rule}</p>
            <p>{rule.text}</p>
            <ul>
              {rule.tests.map((test) => (
                <li key={test.param} class="small">
                  <span aria-hidden="true">{test.is_met ? '✓' : '✕'}</span>{' '}
                  <span class="visually-hidden">{test.is_met ? text.met : text.notMet}: </span>
                  {test.text}
                </li>
              ))}
            </ul>
          </li>
        )}
      </ol>
    </section>
  );
}
