import { SaxesParser } from 'saxes';

export interface Element {
  /** With its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What stands in it, but in no element within. */
  text: string;
}

/** Lists the elements of a document in the order in which they begin. @throws when it is not well-formed. */
export function elementsOf(document: string): readonly Element[] {
  const parser = new SaxesParser();
  const [elements, open]: [Element[], Element[]] = [[], []];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes }, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(document).close();
  return elements;
}
