import type { ComponentChildren } from 'preact';

interface Item<T> {
  readonly value: T;
  readonly isDisabled?: boolean;
  readonly label: ComponentChildren;
}

/** A scrolling list of boxes, of which any number is ticked. */
export function CheckList<T extends string | number>({
  items,
  chosen,
  onChange,
}: {
  readonly items: readonly Item<T>[];
  readonly chosen: ReadonlySet<T>;
  readonly onChange: (chosen: ReadonlySet<T>) => void;
}) {
  return (
    <div class="source-times">
      {items.map(({ value, isDisabled = false, label }) => (
        <label key={value}>
          <input
            type="checkbox"
            disabled={isDisabled}
            checked={chosen.has(value)}
            onChange={({ currentTarget: { checked } }) => {
              const next = new Set(chosen);
              if (checked) next.add(value);
              else next.delete(value);
              onChange(next);
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}
