import { SaxesParser } from 'saxes';

/** Of ESRI's and FGDC's metadata, the element that holds the name of a field. */
const fieldNameElements: readonly string[] = ['attrlabl', 'attrlabel'];
/** Longer ones are no names. */
const maxNameLetters = 255;

/** The full names of the fields as a `.shp.xml` has them; what can not be read as XML, or has a DOCTYPE, has none. */
export function readFieldNames(xml: string): readonly string[] {
  const names: string[] = [];
  let text: string | undefined;
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    text = fieldNameElements.includes(name.toLowerCase()) ? '' : undefined;
  });
  parser.on('text', (piece) => {
    if (text !== undefined) text += piece;
  });
  parser.on('closetag', () => {
    const name = text?.trim() ?? '';
    if (name !== '' && name.length <= maxNameLetters) names.push(name);
    text = undefined;
  });
  try {
    parser.write(xml).close();
  } catch {
    return [];
  }
  return names;
}
