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
  /** Advice on the format, if the label does not give it. */
  readonly hint?: string;
  /** True for a text of several lines. */
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

/** A select element for one of several named options. */
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
  /** Label for the choice of none, if that is allowed; its value is empty. */
  readonly none?: string;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} defaultValue={value}>
        {none !== undefined && <option value="">{none}</option>}
        {/* The chosen value stays, even if it is not among the options. */}
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
