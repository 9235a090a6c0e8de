/** What a file itself holds of a table. */
export interface StoredTable {
  readonly columns: readonly string[];
  /** Cells in the order of the columns: text, null, or undefined for what is not to be compared. */
  readonly rows: readonly (readonly (string | null | undefined)[])[];
}

/** Of a longer table the beginning is compared. */
export const maxRows = 20_000;

const maxTroubles = 5;

/** Names the cells whose value in the properties of a vector is not the one that its file holds. */
export function changedCells({ columns, rows }: StoredTable, geoJson: string): readonly string[] {
  const found = propertiesIn(geoJson, rows.length);
  if (found === undefined) return [];
  // Names that are not in ASCII, or not alone, are others in the properties.
  const compared = [...columns.entries()].filter(
    ([index, name]) =>
      /^[!-~]+$/.test(name) && columns.indexOf(name) === index && columns.lastIndexOf(name) === index,
  );
  const troubles: string[] = [];
  for (const [row, cells] of rows.entries()) {
    const properties = found[row];
    for (const [index, name] of compared) {
      const cell = cells[index];
      if (cell === undefined || properties === undefined) continue;
      if (!Object.hasOwn(properties, name)) troubles.push(`row ${row + 1} has no property "${name}"`);
      else if (!isSame(cell, properties[name]))
        troubles.push(
          `row ${row + 1}: "${name}" is ${JSON.stringify(properties[name])}, in the file ${cell ?? 'missing'}`,
        );
      if (troubles.length === maxTroubles) return troubles;
    }
  }
  return troubles;
}

type Properties = Readonly<Record<string, unknown>>;

/** The properties of each row; undefined where the vector lies nowhere, and so has none. */
function propertiesIn(geoJson: string, rows: number): readonly Properties[] | undefined {
  const {
    features,
  }: {
    features: readonly { readonly properties: Properties & { readonly rows?: readonly Properties[] } }[];
  } = JSON.parse(geoJson);
  const [feature] = features;
  if (feature === undefined) return undefined;
  return rows === 1 ? [feature.properties] : feature.properties.rows;
}

/** Numbers may be written in another way, truth by a letter or a digit, dates with signs between, and structures as their text. */
function isSame(cell: string | null, property: unknown): boolean {
  if (cell === null || property === null) return cell === property;
  const text = cell.trim();
  switch (typeof property) {
    case 'number':
      return text !== '' && Number(text) === property;
    case 'boolean':
      return (property ? /^(?:1|[TtYy]|true)$/ : /^(?:0|[FfNn]|false)$/).test(text);
    case 'string':
      return property.trim() === text || (isDate.test(property) && digitsOf(property) === digitsOf(text));
    default:
      return JSON.stringify(property) === text.replaceAll(/\s/g, '');
  }
}

const isDate = /^\d{4}-\d\d-\d\d/;
const digitsOf = (date: string): string => date.replaceAll(/\.0+(?=Z?$)|\D/g, '');
