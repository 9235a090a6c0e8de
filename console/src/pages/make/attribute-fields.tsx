import { formatNumber } from '../../../../common/formats/numbers.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { get } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import { language } from '../../words/words.ts';
import { AttributeChoice } from './attribute-choice.tsx';
import { type FieldsProps, OneOf } from './one-of.tsx';
import type { SlotFacts } from './recipe-draft.ts';

/** The choice of an attribute, of what its values mean, and of the rule. */
export function AttributeFields(props: FieldsProps) {
  const { facts, draft, words } = props;
  const { vector, attribute, rule } = draft.value;
  return (
    <>
      <AttributeChoice
        label={words.attribute}
        none={words.choose}
        vector={vector}
        attribute={attribute}
        onChange={(chosen) =>
          void (draft.value = { ...draft.value, attribute: chosen, chosen: new Map(), takesNumbers: false })
        }
      />
      {attribute !== '' && <ValueTable key={attribute} {...props} />}
      <OneOf
        label={words.rule}
        names={words.rules}
        options={facts.kind === 'classes' ? ['majority', 'centre'] : ['mean', 'centre', 'majority']}
        value={rule}
        onChange={(chosen) => void (draft.value = { ...draft.value, rule: chosen })}
      />
    </>
  );
}

/** Stands for no value on purpose in a choice; the empty text stands for a choice that is not made yet. */
const noValue = 'none';

function ValueTable({ facts, draft, words }: FieldsProps) {
  const { vector, attribute, leavesOut } = draft.value;
  const { resource, reload } = useResource(`values of ${vector} ${attribute}`, async (signal) => {
    const asked = { path: { code: facts.group }, query: { dataset_id: vector, attribute }, signal };
    const found = await get('/landscape/slots/{code}/make/values', asked);
    draft.value = {
      ...draft.value,
      takesNumbers: canTakeNumbers(facts, found.values),
      chosen: new Map(
        found.values.flatMap(({ value, suggested }) =>
          suggested === null ? [] : [[value, String(suggested)] as const],
        ),
      ),
    };
    return found;
  });
  const { value: found, failure } = resource.value;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} />;
  if (found === undefined) return <Waiting />;
  const { chosen, takesNumbers } = draft.value;
  const choose = (value: string | null, text: string | undefined): void => {
    const texts = new Map<string | null, string | undefined>([...draft.value.chosen, [value, text]]);
    // In the order of the table, because its first row wins.
    const rows = found.values.flatMap(({ value: each }) => {
      const own = texts.get(each);
      return own === undefined ? [] : [[each, own] as const];
    });
    draft.value = { ...draft.value, chosen: new Map(rows) };
  };
  const open = found.values.filter(({ value }) => !chosen.has(value)).length;
  const numbers = canTakeNumbers(facts, found.values) && (
    <fieldset class="make-options">
      <label>
        <input
          type="checkbox"
          checked={takesNumbers}
          onChange={({ currentTarget }) =>
            void (draft.value = { ...draft.value, takesNumbers: currentTarget.checked })
          }
        />
        {words.takeNumbers}
      </label>
    </fieldset>
  );
  if (takesNumbers) return numbers;
  return (
    <div class="stack">
      {numbers}
      <p class="small muted">{words.tableHint}</p>
      <div class="make-table-frame">
        <table class="make-table">
          <caption class="visually-hidden">{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.value}</th>
              <th scope="col">{words.features}</th>
              <th scope="col">{words.becomes}</th>
            </tr>
          </thead>
          <tbody>
            {found.values.map(({ value, features, suggested }) => (
              <tr key={value ?? '\u0000'}>
                <th scope="row">{value ?? <i class="muted">{words.without}</i>}</th>
                <td>{formatNumber(features, language())}</td>
                <td>
                  <Meaning
                    label={value ?? words.without}
                    facts={facts}
                    text={chosen.get(value)}
                    words={words}
                    onChange={(text) => choose(value, text)}
                  />
                  {suggested !== null && chosen.get(value) === String(suggested) && (
                    <span class="small muted"> {words.suggested}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!found.is_complete && <p class="needs-attention small">{words.notAll}</p>}
      {(open > 0 || !found.is_complete) && (
        <fieldset class="make-options">
          {open > 0 && <p class="needs-attention small">{words.open(open)}</p>}
          <label>
            <input
              type="checkbox"
              checked={leavesOut}
              onChange={({ currentTarget }) =>
                void (draft.value = { ...draft.value, leavesOut: currentTarget.checked })
              }
            />
            {words.leaveOut}
          </label>
        </fieldset>
      )}
    </div>
  );
}

interface Suggested {
  readonly value: string | null;
  readonly suggested: number | null;
}

/** Returns whether a slot with numbers can take those of the attribute: every value is one. */
function canTakeNumbers({ classes }: SlotFacts, values: readonly Suggested[]): boolean {
  return classes === null && values.every(({ value, suggested }) => value === null || suggested !== null);
}

interface MeaningProps extends Omit<FieldsProps, 'draft'> {
  readonly label: string;
  /** Undefined without a choice, empty for no value. */
  readonly text: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}

function Meaning({ label, facts, text, words, onChange }: MeaningProps) {
  if (facts.classes === null)
    return (
      <input
        inputMode="decimal"
        aria-label={`${words.becomes}: ${label}`}
        placeholder={words.noValue}
        value={text ?? ''}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  const value = text === undefined ? '' : text === '' ? noValue : text;
  return (
    <select
      aria-label={`${words.becomes}: ${label}`}
      value={value}
      onChange={({ currentTarget: { value: next } }) =>
        onChange(next === '' ? undefined : next === noValue ? '' : next)
      }
    >
      <option value="" selected={value === ''}>
        {words.notChosen}
      </option>
      <option value={noValue} selected={value === noValue}>
        {words.noValue}
      </option>
      {facts.classes.map((each) => (
        <option key={each.value} value={each.value} selected={value === String(each.value)}>
          {each.value} {each.label}
        </option>
      ))}
    </select>
  );
}
