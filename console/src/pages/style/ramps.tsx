import type { ComponentChildren } from 'preact';
import { cssOf, rampNames } from '../../../../common/maps/style/colour-map.ts';
import { type Choice, type Palette, palettes } from '../../style/choice.ts';
import { coloursOfRamp, type StyleDrawing, unordered } from '../../style/drawing.ts';
import type { StyleWords } from './words/words.ts';

interface RampsProps {
  readonly choice: Choice;
  readonly drawing: StyleDrawing | undefined;
  readonly text: StyleWords;
  readonly onChoice: (change: Partial<Choice>) => void;
}

/** The choice of colours, each with as many as the style has. */
export function Ramps({ choice, drawing, text, onChoice }: RampsProps) {
  const count = drawing?.kind === 'classes' ? drawing.colours.length : 9;
  const values = drawing?.kind === 'values' ? drawing.entries.length : undefined;
  const hasUnordered = values !== undefined && values <= unordered.length;
  const offered = hasUnordered ? palettes : rampNames;
  const chosen = choice.ramp === 'different' && !hasUnordered ? 'ylgn' : choice.ramp;
  const previewOf = (id: Palette) => {
    const colours =
      id === 'different'
        ? unordered.slice(0, Math.max(1, values ?? 1))
        : coloursOfRamp({ ramp: id, isReversed: choice.isReversed }, count);
    return (
      <>
        <span class="style-ramp" aria-hidden="true">
          {colours.map((colour, index) => (
            <span key={index} style={{ background: cssOf(colour) }} />
          ))}
        </span>
        {text.ramps[id]}
      </>
    );
  };
  return (
    <>
      <Radios
        name="style-ramp"
        label={text.ramp}
        value={chosen}
        options={offered.map((id) => ({ id, content: previewOf(id) }))}
        onChoice={(id) => onChoice({ ramp: offered.find((each) => each === id) ?? chosen })}
      />
      {chosen !== 'different' && (
        <label class="style-check">
          <input
            type="checkbox"
            checked={choice.isReversed}
            onChange={({ currentTarget }) => onChoice({ isReversed: currentTarget.checked })}
          />
          {text.reversed}
        </label>
      )}
    </>
  );
}

interface RadiosProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly content: ComponentChildren }[];
  readonly onChoice: (id: string) => void;
}

/** Radio buttons for one of several choices. */
export function Radios({ name, label, value, options, onChoice }: RadiosProps) {
  return (
    <fieldset class="style-choice">
      <legend>{label}</legend>
      {options.map(({ id, content }) => (
        <label key={id}>
          <input type="radio" name={name} value={id} checked={id === value} onChange={() => onChoice(id)} />
          {content}
        </label>
      ))}
    </fieldset>
  );
}
