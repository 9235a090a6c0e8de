import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { LonLat } from '../../map/place/address.ts';
import { readPlace } from '../../map/place/coordinates.ts';
import { explainWords } from './words/words.ts';

interface FormProps {
  readonly place: LonLat | undefined;
  /** True if the form was opened on request and takes the focus. */
  readonly isWanted: boolean;
  readonly onPlace: (place: LonLat) => void;
}

/** Asks for the coordinates of a place, for people who use no mouse or take them from a document. */
export function PlaceForm({ place, isWanted, onPlace }: FormProps) {
  const { form: text } = explainWords();
  const wrong = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const wrongId = useId();
  useEffect(() => {
    if (isWanted) form.current?.querySelector('input')?.focus();
  }, [isWanted]);
  const show = (event: SubmitEvent): void => {
    event.preventDefault();
    const inputs = [...(form.current?.querySelectorAll('input') ?? [])];
    const [latitude = '', longitude = ''] = inputs.map(({ value: typed }) => typed);
    const read = readPlace(latitude, longitude);
    wrong.value = read === undefined;
    if (read !== undefined) onPlace(read);
    else inputs[0]?.focus();
  };
  const fields = [
    { name: 'latitude', label: text.latitude, value: place?.lat },
    { name: 'longitude', label: text.longitude, value: place?.lon },
  ] as const;
  return (
    <form ref={form} class="explain-form" onSubmit={show} noValidate>
      <h3>{text.title}</h3>
      <div class="pair">
        {fields.map(({ name, label, value }) => (
          <label key={name} class="field">
            <span>{label}</span>
            <input
              key={value}
              name={name}
              inputMode="decimal"
              autocomplete="off"
              defaultValue={value === undefined ? '' : String(value)}
              aria-invalid={wrong.value}
              aria-describedby={wrongId}
            />
          </label>
        ))}
      </div>
      <p id={wrongId} class="wrong small" role="alert">
        {wrong.value && text.wrong}
      </p>
      <button type="submit" class="button">
        {text.show}
      </button>
    </form>
  );
}
