import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatValue } from '../../../../common/formats/numbers.ts';
import {
  type Choice,
  leastClasses,
  type SingleSymbol,
  methods,
  mostClasses,
  readBreaks,
} from '../../style/choice.ts';
import { rangeOf, type StyleDrawing, suggestedBreaks } from '../../style/drawing.ts';
import { Histogram } from './histogram.tsx';
import { Radios, Ramps } from './ramps.tsx';
import type { Offer } from './offer.ts';
import type { StyleWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface FormProps {
  readonly offer: Offer;
  readonly choice: Choice;
  readonly symbol: SingleSymbol;
  readonly drawing: StyleDrawing | undefined;
  readonly text: StyleWords;
  readonly locale: MapLocale;
  readonly onChoice: (change: Partial<Choice>) => void;
  readonly onSymbol: (change: Partial<SingleSymbol>) => void;
}

/** The choices of a style; each of them appears on the map at once. */
export function StyleForm(props: FormProps) {
  const { offer, text } = props;
  return (
    <section class="sheet pad stack style-form" aria-labelledby="style-form">
      <h2 id="style-form">{text.form}</h2>
      {offer.kind === 'numbers' && <Numbers {...props} offer={offer} />}
      {offer.kind === 'words' && <Ramps {...props} />}
      {offer.kind === 'symbol' && <SymbolForm {...props} />}
      {offer.kind === 'manyBands' && <p>{text.manyBands(offer.bands)}</p>}
      {(offer.kind === 'empty' || offer.kind === 'manyWords') && <p>{text[offer.kind]}</p>}
      {offer.kind === 'counting' && <p role="status">{text.counting}</p>}
      {(offer.kind === 'numbers' || offer.kind === 'words') && <p class="small muted">{text.noData}</p>}
    </section>
  );
}

type NumbersProps = FormProps & { readonly offer: Offer & { readonly kind: 'numbers' } };

function Numbers(props: NumbersProps) {
  const { offer, choice, drawing, text, locale, onChoice } = props;
  const { distribution, kinds, subject } = offer;
  const format = (value: number) => formatValue(value, locale.language);
  const kind = drawing?.kind ?? kinds[0];
  return (
    <>
      {kinds.length > 1 && (
        <Radios
          name="style-kind"
          label={text.kind}
          options={kinds.map((id) => ({ id, content: text.kinds[id] }))}
          value={kind}
          onChoice={(id) =>
            onChoice({
              kind: kinds.find((each) => each === id) ?? kind,
              ramp: id === 'values' ? 'different' : choice.ramp === 'different' ? 'ylgn' : choice.ramp,
            })
          }
        />
      )}
      <Ramps {...props} />
      {kind === 'classes' && <ClassFields {...props} />}
      {kind === 'ramp' && <StretchFields {...props} />}
      {drawing?.kind === 'classes' && drawing.bounds.length === 0 && (
        <p role="status">{text.constant(format(distribution.least))}</p>
      )}
      {drawing?.kind === 'classes' &&
        drawing.bounds.length > 0 &&
        drawing.colours.length < drawing.wanted && (
          <p role="status">{text.fewer(drawing.colours.length, drawing.wanted)}</p>
        )}
      {drawing !== undefined && <Histogram {...{ distribution, drawing, text, locale }} />}
      {subject.kind === 'units' && <p class="small muted">{text.allDates}</p>}
    </>
  );
}

function ClassFields({ offer, choice, text, onChoice }: NumbersProps) {
  const { method, classes } = choice;
  const choose = (wanted: string) => {
    const found = methods.find((each) => each === wanted) ?? method;
    const breaks = found === 'own' ? suggestedBreaks(choice, offer.distribution) : choice.breaks;
    onChoice({ method: found, breaks });
  };
  const counts = Array.from({ length: mostClasses - leastClasses + 1 }, (_, index) => index + leastClasses);
  return (
    <>
      <div class="style-bounds">
        <Select
          label={text.method}
          value={method}
          options={methods.map((each) => ({ id: each, name: text.methods[each] }))}
          onChoice={choose}
        />
        {method !== 'own' && (
          <Select
            label={text.classes}
            value={String(classes)}
            options={counts.map((count) => ({ id: String(count), name: String(count) }))}
            onChoice={(count) => onChoice({ classes: Number(count) })}
          />
        )}
      </div>
      {method === 'own' && <OwnBounds {...{ choice, text, onChoice }} />}
    </>
  );
}

function OwnBounds({ choice, text, onChoice }: Pick<FormProps, 'choice' | 'text' | 'onChoice'>) {
  const written = choice.breaks.join('; ');
  const typed = useSignal(written);
  const isWrong = useSignal(false);
  useEffect(() => void (typed.value = written), [written]);
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        const breaks = readBreaks(typed.peek());
        isWrong.value = breaks === undefined;
        if (breaks !== undefined) onChoice({ breaks });
      }}
    >
      <label class="field">
        <span>{text.bounds}</span>
        <input
          value={typed.value}
          maxLength={400}
          aria-describedby="style-bounds-hint"
          aria-invalid={isWrong.value}
          onInput={({ currentTarget }) => void (typed.value = currentTarget.value)}
        />
      </label>
      <span id="style-bounds-hint" class="small muted">
        {text.boundsHint}
      </span>
      <p class="wrong" role="alert">
        {isWrong.value && text.badBounds}
      </p>
      <button type="submit" class="button">
        {text.use}
      </button>
    </form>
  );
}

function StretchFields({ offer, choice, text, onChoice }: NumbersProps) {
  const [low, high] = rangeOf({ ...choice, from: undefined, to: undefined }, offer.distribution);
  const isWrong = (choice.from ?? low) >= (choice.to ?? high);
  const field = (name: 'from' | 'to', otherwise: number) => (
    <label class="field">
      <span>{text[name]}</span>
      <input
        inputMode="decimal"
        value={choice[name] ?? ''}
        placeholder={String(Number(otherwise.toPrecision(4)))}
        aria-invalid={isWrong}
        onChange={({ currentTarget: { value } }) =>
          onChoice({ [name]: value === '' ? undefined : readBreaks(value)?.[0] })
        }
      />
    </label>
  );
  return (
    <>
      <div class="pair">
        {field('from', low)}
        {field('to', high)}
      </div>
      <p class="small muted">{text.stretchHint}</p>
      <p class="wrong" role="alert">
        {isWrong && text.badStretch}
      </p>
    </>
  );
}

function SymbolForm({ symbol, text, onSymbol }: FormProps) {
  return (
    <>
      <div class="pair">
        {(['fill', 'line'] as const).map((name) => (
          <label key={name} class="field">
            <span>{text[name]}</span>
            <input
              type="color"
              value={symbol[name]}
              onChange={({ currentTarget }) => onSymbol({ [name]: currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <label class="field">
        <span>{text.width}</span>
        <input
          type="number"
          min="0"
          max="20"
          step="0.5"
          value={symbol.width}
          onChange={({ currentTarget }) => onSymbol({ width: currentTarget.valueAsNumber })}
        />
      </label>
    </>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly onChoice: (id: string) => void;
}

function Select({ label, value, options, onChoice }: SelectProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
