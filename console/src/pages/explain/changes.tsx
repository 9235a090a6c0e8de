import type { LandscapeExplanation, LandscapeRun } from '../../service/types.ts';
import { settingsHref } from '../../service/run-request.ts';
import { explainWords } from './words/words.ts';

type Change = LandscapeExplanation['nearest_changes'][number];

interface ChangesProps {
  readonly changes: readonly Change[];
  /** Undefined until it is loaded; its settings are those that would be changed. */
  readonly run: LandscapeRun | undefined;
}

/** Single changes that would alter the zone. Changes of classes, which are many and rarely happen, are folded. */
export function Changes({ changes, run }: ChangesProps) {
  const text = explainWords();
  const classes = changes.filter(({ kind }) => kind === 'class');
  const others = changes.filter(({ kind }) => kind !== 'class');
  return (
    <section class="explain-changes">
      <h3>{text.change}</h3>
      {changes.length === 0 && <p>{text.noChange}</p>}
      <ChangeList changes={others} run={run} />
      {classes.length > 0 && (
        <details>
          <summary>{text.otherClasses(classes.length)}</summary>
          <ChangeList changes={classes} run={run} />
        </details>
      )}
    </section>
  );
}

function ChangeList({ changes, run }: ChangesProps) {
  const text = explainWords();
  return (
    <ul>
      {changes.map((change) => {
        const href = run === undefined ? undefined : hrefWith(run, change);
        return (
          <li key={change.text}>
            {change.text}{' '}
            {href !== undefined && (
              <a class="small" href={href} aria-label={text.tryOf(change.text)}>
                {text.try} ▸
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The address of the plan with a changed parameter; undefined for a change that a run does not set. */
function hrefWith(run: LandscapeRun, { kind, name, to, order }: Change): string | undefined {
  const value = kind === 'order' ? order : to;
  if ((kind !== 'threshold' && kind !== 'order') || value === null) return undefined;
  const params = { ...run.params, [name]: value };
  return settingsHref({ ...run, params }, { params: Object.keys(params).map((each) => ({ name: each })) });
}
