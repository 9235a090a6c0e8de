import { fromText, violations } from './conforms.ts';
import { type Definitions, resolve, type Schema } from './document.ts';
import type { FileKind, Form, Part } from './forms.ts';
import type { Standing } from './standing.ts';

const kindByExtension: Readonly<Record<string, FileKind>> = {
  '.tif': 'tiff',
  '.tiff': 'tiff',
  '.gpkg': 'geopackage',
  '.zip': 'zip',
  '.geojson': 'json',
  '.sld': 'sld',
  '.xml': 'sld',
};

/** How a form keeps to its schema and to what the contract says of files. */
export function formFaults(form: Form, given: Schema, definitions: Definitions): Standing {
  if (form.damage !== 'none') return { kind: 'broken body', faults: [form.damage] };
  const { properties = {}, required = [] } = resolve(given, definitions);
  const fields: string[] = [];
  let isOpen = false;
  for (const [name, schema] of Object.entries(properties)) {
    const [part, ...more] = form.parts.filter((each) => each.name === name);
    if (more.length > 0) fields.push(name);
    else if (part === undefined || (part.file === undefined && part.bytes === '')) {
      if (required.includes(name)) fields.push(name);
    } else if (part.file === undefined) {
      const verdict = judgeText(name, Buffer.from(part.bytes, 'latin1').toString(), schema, definitions);
      if (verdict === 'bad') fields.push(name);
      if (verdict === 'open') isOpen = true;
    } else {
      const verdict = judgeFile(part, form, properties);
      if (verdict === 'bad') fields.push(name);
      if (verdict === 'open') isOpen = true;
    }
  }
  if (fields.length > 0) return { kind: 'bad fields', fields };
  return { kind: isOpen ? 'open' : 'conforms' };
}

type Verdict = 'good' | 'bad' | 'open';

function judgeText(name: string, text: string, schema: Schema, definitions: Definitions): Verdict {
  if (name === 'meta') return text.startsWith('{"value":') ? 'open' : 'bad'; // how deep it may be is not in the schema
  return violations(schema, fromText(schema, text, definitions), definitions).length === 0 ? 'good' : 'bad';
}

function judgeFile({ file }: Part, form: Form, properties: Readonly<Record<string, Schema>>): Verdict {
  if (file?.extension === undefined) return 'open';
  const accepted = acceptedKinds(form, properties);
  if (accepted === undefined) return 'open';
  const promised = kindByExtension[file.extension];
  return promised !== undefined && accepted.includes(promised) && promised === file.kind ? 'good' : 'bad';
}

/** What a form may bring by its fields; undefined when that is not to be told because a field is wrong. */
function acceptedKinds(
  form: Form,
  properties: Readonly<Record<string, Schema>>,
): readonly FileKind[] | undefined {
  if (Object.keys(properties).length === 1) return ['sld'];
  if (!('file_type' in properties)) return ['tiff']; // a slot
  const fileTypes = form.parts.filter(({ name }) => name === 'file_type').map(({ bytes }) => bytes);
  if (fileTypes.length !== 1) return undefined;
  if (fileTypes[0] === 'raster') return ['tiff'];
  return fileTypes[0]?.startsWith('vector') === true ? ['geopackage', 'zip', 'json'] : undefined;
}
