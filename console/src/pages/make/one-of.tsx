import type { Signal } from '@preact/signals';
import type { Draft, SlotFacts } from './recipe-draft.ts';
import type { MakeWords } from './words/words.ts';

/** Properties of the parts of the form. */
export interface FieldsProps {
  readonly facts: SlotFacts;
  readonly draft: Signal<Draft>;
  readonly words: MakeWords;
}

interface OneOfProps<Name extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Name, string>>;
  readonly options: readonly Name[];
  readonly value: string;
  readonly onChange: (chosen: Name) => void;
}

/** A choice of one of several names. */
export function OneOf<Name extends string>({ label, names, options, value, onChange }: OneOfProps<Name>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find((each) => each === currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {options.map((each) => (
          <option key={each} value={each} selected={each === value}>
            {names[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
