import { english } from '../../src/messages/areas.ts';
import { type Section, sectionOfArea, sections, warningSentences } from './sections.ts';
import { Problem } from '../../src/lib/errors.ts';

const ellipsis = '…';

/** Writes a sentence with an ellipsis in the place of each fact. */
export function templateOf(sentence: unknown): string {
  if (typeof sentence !== 'function') return String(sentence);
  const made = Reflect.apply(sentence, undefined, unknownFacts);
  const text =
    made instanceof Problem ? String(Object.values(made.fields ?? {})[0] ?? made.message) : String(made);
  // A number that is computed of an unknown one, and a word that is looked up by an unknown name.
  return text.replaceAll(/NaN|undefined/g, ellipsis);
}

/** More than any sentence takes. */
const unknownFacts = Array.from({ length: 8 }, unknownFact);

/** A fact of any type: it reads as an ellipsis, whatever a sentence asks it for or does to it. */
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

No value changes in silence. A value that fits the type of its column is of that type; any other stays as the file has it, and nothing is cut, wrapped or made 0. What is missing is null, and its key
stays. In an observation, a cell is a number when it is stored as a finite one, or when its text is one; anything else is \`value_text\`, and blanks alone are an empty cell.

| Text | Number |
|---|---|
| \`12.7\`, \`12,5\`, \`-3\`, \`−3\`, \`+7\`, \`.5\`, \`1.5e+3\` | 12.7, 12.5, −3, −3, 7, 0.5, 1500 |
| \`1 234,56\`, with a space, U+00A0, U+2009 or U+202F between groups of three | 1234.56 |
| \`1,234.5\`, \`1,234,567\` in a column that proves that its commas part thousands | 1234.5, 1234567 |
| \`н/д\`, \`-\`, \`5.\`, \`NaN\`, \`true\` | none: text |

A number of any length keeps its digits in \`properties\`; an observation has the nearest double.`;

/** Writes docs/formats.md from the sentences of the service. */
export function describeFormats(): string {
  const parts = Object.entries(sections).map(([name, section]) => describeSection(name, section));
  return `<!-- Written by \`npm run docs\` from src/messages and scripts/formats; change these instead. -->

# Formats

What Steppe reads of each format, what it repairs and with which warning, and what it refuses. \`GET /datasets/{id}/report\` has the warnings, by codes that do not change. An ellipsis stands for what
the sentence names. Each sentence is in Russian and Kazakh too.

${[rules, ...parts].join('\n\n')}
`;
}

function describeSection(name: string, { heading, text, warnings }: Section): string {
  const areas = Object.entries(sectionOfArea).flatMap(([area, section]) => (section === name ? [area] : []));
  return [
    `## ${heading}`,
    text,
    ...tableOf(
      'Warning',
      warnings.map((code) => [code, warningSentences[code].map(templateByCode).join('<br>')]),
    ),
    ...tableOf(
      name === 'style' ? 'Code' : 'Refusal',
      areas.flatMap((area) => sentenceCodesOf(area).map((code) => [code, templateByCode(code)])),
    ),
  ].join('\n\n');
}

const tables: Readonly<Record<string, Readonly<Record<string, unknown>>>> = english;

/** Lists the codes of the sentences of an area. */
export function sentenceCodesOf(area: string): readonly string[] {
  return Object.keys(tables[area] ?? {}).map((name) => `${area}.${name}`);
}

function templateByCode(code: string): string {
  const [area = '', name = ''] = code.split('.');
  return templateOf(tables[area]?.[name]);
}

function tableOf(title: string, rows: readonly (readonly [code: string, text: string])[]): string[] {
  const lines = rows.map(([code, text]) => `| \`${code}\` | ${text.replaceAll(/[|<](?!br>)/g, '\\$&')} |`);
  return lines.length === 0 ? [] : [`| ${title} | Sentence |\n|---|---|\n${lines.join('\n')}`];
}
