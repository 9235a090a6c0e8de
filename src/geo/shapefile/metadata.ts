import { SaxesParser } from 'saxes';

/** Of ESRI's and FGDC's metadata, the element that holds the name of a field. */
const fieldNameElements: readonly string[] = ['attrlabl', 'attrlabel'];

/** The full names of the fields as a `.shp.xml` has them; what can not be read as XML has none. */
export function readFieldNames(xml: string): readonly string[] {
  const names: string[] = [];
  let text: string | undefined;
  let [hasDoctype, isBroken] = [false, false];
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    hasDoctype = true;
  });
  parser.on('error', () => {
    isBroken = true;
  });
  parser.on('opentag', ({ name }) => {
    text = fieldNameElements.includes(name.toLowerCase()) ? '' : undefined;
  });
  parser.on('text', (piece) => {
    if (text !== undefined) text += piece;
  });
  parser.on('closetag', () => {
    if (text !== undefined && text.trim() !== '') names.push(text.trim());
    text = undefined;
  });
  parser.write(xml).close();
  return hasDoctype || isBroken ? [] : names;
}
