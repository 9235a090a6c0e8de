import { english } from '../../src/messages/languages/english.ts';
import { type Section, sectionOfArea, sections, sentencesOfParts, warningSentences } from './sections.ts';
import { Problem } from '../../src/lib/errors.ts';

const ellipsis = '…';

/**
 * Writes a sentence with an ellipsis for each fact, in all variants that a single fact causes: a count of one, a list of one, a missing
 * fact, a condition that is true or false. The variant with several comes first.
 */
export function templatesOf(sentence: unknown): readonly string[] {
  if (typeof sentence !== 'function') return [String(sentence)];
  const usual = templateOf(sentence, unknownFacts);
  const found = new Map([[withoutNumbers(usual), usual]]);
  for (let index = 0; index < maxFacts; index += 1) {
    for (const special of specialFacts) {
      const text = variantOf(sentence, unknownFacts.toSpliced(index, 1, special));
      if (text !== undefined && !found.has(withoutNumbers(text))) found.set(withoutNumbers(text), text);
    }
  }
  return [...found.values()];
}

/** Facts that change a sentence: one, zero, a condition, a missing fact, and lists of one and of several. */
const specialFacts: readonly unknown[] = [1, 0, true, false, undefined, [ellipsis], [ellipsis, ellipsis]];

/** A number or a condition that is only printed is not a variant of its own. */
const withoutNumbers = (text: string): string =>
  text.replaceAll(/\b(?:\d+|true|false)\b|Infinity/g, ellipsis).replaceAll(/…(?:, ?…)+/g, ellipsis);

/** Returns a variant; undefined if the sentence does not accept these facts. */
function variantOf(sentence: Function, facts: readonly unknown[]): string | undefined {
  try {
    return templateOf(sentence, facts);
  } catch {
    return undefined;
  }
}

function templateOf(sentence: Function, facts: readonly unknown[]): string {
  const made = Reflect.apply(sentence, undefined, facts);
  const text =
    made instanceof Problem ? String(Object.values(made.fields ?? {})[0] ?? made.message) : String(made);
  // Replaces numbers computed from an unknown fact, and words looked up by an unknown name.
  return text.replaceAll(/NaN|undefined/g, ellipsis);
}

/** More facts than any sentence has. */
const maxFacts = 8;
const unknownFacts = Array.from({ length: maxFacts }, unknownFact);

/** A fact of any type that is printed as an ellipsis, for any access or call. */
function unknownFact(): unknown {
  return new Proxy(() => undefined, {
    apply: unknownFact,
    get(_, key) {
      if (key === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? NaN : ellipsis);
      if (key === Symbol.iterator) return () => [ellipsis].values();
      return key === 'length' ? NaN : unknownFact();
    },
  });
}

const rules = `## The rule for cells

No value changes without a message. A value that fits the type of its column gets this type. Any other value stays as in the file: it is not cut, wrapped or replaced by 0. A missing value is null, and its key
stays. In an observation, a cell is a number if it is stored as a finite number, or if its text is a number. Any other cell is \`value_text\`, and a cell of blanks is empty.

| Text | Number |
|---|---|
| \`12.7\`, \`12,5\`, \`-3\`, \`−3\`, \`+7\`, \`.5\`, \`1.5e+3\` | 12.7, 12.5, −3, −3, 7, 0.5, 1500 |
| \`1 234,56\`, with a space, U+00A0, U+2009 or U+202F between groups of three | 1234.56 |
| \`1,234.5\`, \`1,234,567\` in a column that proves that its commas separate thousands | 1234.5, 1234567 |
| \`н/д\`, \`-\`, \`5.\`, \`NaN\`, \`true\` | none: text |

A number of any length keeps its digits in \`properties\`; an observation has the nearest double.`;

/** Writes docs/formats.md from the sentences of the service. */
export function describeFormats(): string {
  const parts = Object.entries(sections).map(([name, section]) => describeSection(name, section));
  return `<!-- Written by \`npm run docs\` from src/messages and scripts/formats; change these instead. -->

# Formats

This page lists, for each format, what Steppe reads, the repairs with their warnings, and the refusals. \`GET /datasets/{id}/report\` returns the warnings, by codes that do not change. An ellipsis stands for a fact
in a sentence. If a sentence has variants, such as for one row and for several, all of them are listed. Each sentence also exists in Russian and Kazakh.

${[rules, ...parts].join('\n\n')}
`;
}

function describeSection(name: string, { heading, text, warnings }: Section): string {
  const areas = Object.entries(sectionOfArea).flatMap(([area, section]) => (section === name ? [area] : []));
  return [
    `## ${heading}`,
    text,
    ...tableOf(
      ['Warning', 'Sentence'],
      warnings.map((code) => [code, lines(warningSentences[code].flatMap(templatesByCode))]),
    ),
    ...tableOf(
      [name === 'style' ? 'Code' : 'Refusal', 'Sentence'],
      areas
        .filter((area) => partsOf(area) === undefined)
        .flatMap((area) => sentenceCodesOf(area).map((code) => [code, lines(templatesByCode(code))])),
    ),
    ...tableOf(
      ['Part of a refusal', 'Words', 'Used in'],
      areas.flatMap((area) => {
        const places = partsOf(area);
        if (places === undefined) return [];
        return sentenceCodesOf(area).map((code) => [code, lines(templatesByCode(code)), places.join(', ')]);
      }),
    ),
  ].join('\n\n');
}

const tables: Readonly<Record<string, Readonly<Record<string, unknown>>>> = english;

/** Lists the codes of the sentences of a module. */
export function sentenceCodesOf(area: string): readonly string[] {
  return Object.keys(tables[area] ?? {}).map((name) => `${area}.${name}`);
}

const partsOf = (area: string): readonly string[] | undefined =>
  Object.entries(sentencesOfParts).find(([name]) => name === area)?.[1];

const lines = (texts: readonly string[]): string => texts.join('<br>');

function templatesByCode(code: string): readonly string[] {
  const [area = '', name = ''] = code.split('.');
  return templatesOf(tables[area]?.[name]);
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const escaped = rows.map(([code, ...texts]) => {
    const cells = texts.map((text) => text.replaceAll(/[|<](?!br>)/g, '\\$&'));
    return `| ${[`\`${code}\``, ...cells].join(' | ')} |`;
  });
  return [[`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...escaped].join('\n')];
}
