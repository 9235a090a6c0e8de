import { useId } from 'preact/hooks';

/** A field for a text, or for a day. */
export function Field({
  label,
  name,
  value,
  hint,
  isLong = false,
  ...rest
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string | null;
  readonly type?: 'date';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Advice on what to type, where the label does not say it. */
  readonly hint?: string;
  /** For a text of several lines. */
  readonly isLong?: boolean;
}) {
  const hintId = useId();
  return (
    <div class="field">
      <label class="field">
        <span>{label}</span>
        {isLong ? (
          <textarea name={name} defaultValue={value ?? ''} maxLength={2000} rows={3} />
        ) : (
          <input
            name={name}
            defaultValue={value ?? ''}
            maxLength={2000}
            aria-describedby={hint === undefined ? undefined : hintId}
            {...rest}
          />
        )}
      </label>
      {hint !== undefined && (
        <span id={hintId} class="small muted">
          {hint}
        </span>
      )}
    </div>
  );
}

/** A field for one of several things that have names. */
export function Choice({
  label,
  name,
  value,
  options,
  none,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  /** How none of them is called, where that is a choice; its value is empty. */
  readonly none?: string;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} defaultValue={value}>
        {none !== undefined && <option value="">{none}</option>}
        {/* One that is not offered stays the chosen one all the same. */}
        {value !== '' && !options.some(({ id }) => id === value) && (
          <option value={value} selected>
            {value}
          </option>
        )}
        {options.map(({ id, name: text }) => (
          <option key={id} value={id} selected={id === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
