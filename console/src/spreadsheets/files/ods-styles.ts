import { type Format, plainFormat } from './number-formats.ts';
import { attributeOf } from './xml.ts';

interface Style {
  readonly family: string;
  readonly parent: string | undefined;
  readonly format: string | undefined;
  isHidden?: boolean;
  isRaised?: boolean;
}

const dataStyles = /^(?:number|percentage|currency|date|time)-style$/;
/** Parents of a style that are looked at; loops end here. */
const maxParents = 10;
const maxStyles = 200_000;

/** Collects the styles of an OpenDocument spreadsheet that matter for what its cells show. */
export function createOdsStyles() {
  const styles = new Map<string, Style>();
  const formats = new Map<string, Format>();
  let style: Style | undefined;
  let data: { readonly name: string; readonly tag: string; readonly parts: Set<string> } | undefined;
  let [factor, digits] = [1, 0];

  const keyOf = (family: string, name: string): string => `${family} ${name}`;
  /** The style itself, then its parents. */
  function* chainOf(family: string, name: string): Generator<Style> {
    let next: string | undefined = name;
    for (let count = 0; next !== undefined && count < maxParents; count += 1) {
      const found = styles.get(keyOf(family, next));
      if (found === undefined) return;
      yield found;
      next = found.parent;
    }
  }
  const formatsByStyle = new Map<string, Format>();

  return {
    /** Takes the start of an element within the styles of a document. */
    open(tag: string, attributes: string): void {
      if (styles.size + formats.size > maxStyles) return;
      if (tag === 'style') {
        const family = attributeOf(attributes, 'family') ?? '';
        style = {
          family,
          parent: attributeOf(attributes, 'parent-style-name'),
          format: attributeOf(attributes, 'data-style-name'),
        };
        styles.set(keyOf(family, attributeOf(attributes, 'name') ?? ''), style);
      } else if (dataStyles.test(tag)) {
        data = { name: attributeOf(attributes, 'name') ?? '', tag, parts: new Set() };
        [factor, digits] = [1, 0];
      } else if (tag === 'table-properties' && style?.family === 'table')
        style.isHidden = attributeOf(attributes, 'display') === 'false';
      else if (tag === 'text-properties' && style?.family === 'text')
        style.isRaised = /^(?:super|[1-9]\d?%)/.test(attributeOf(attributes, 'text-position') ?? '');
      else if (data !== undefined) {
        data.parts.add(tag);
        if (tag !== 'number') return;
        factor = Number(attributeOf(attributes, 'display-factor') ?? 1);
        const isPlain =
          Number(attributeOf(attributes, 'decimal-places') ?? 0) === 0 &&
          attributeOf(attributes, 'grouping') !== 'true';
        digits = isPlain ? Math.min(30, Number(attributeOf(attributes, 'min-integer-digits') ?? 0)) : 0;
      }
    },
    close(tag: string): void {
      if (tag === 'style') style = undefined;
      else if (data !== undefined && tag === data.tag) {
        formats.set(data.name, formatOf(data.tag, data.parts, factor, digits));
        data = undefined;
      }
    },
    /** The number format of a cell. */
    formatOf(name: string): Format {
      const known = formatsByStyle.get(name);
      if (known !== undefined) return known;
      const named = [...chainOf('table-cell', name)].find(({ format }) => format !== undefined);
      const found = formats.get(named?.format ?? '') ?? plainFormat;
      formatsByStyle.set(name, found);
      return found;
    },
    isHiddenTable: (name: string): boolean =>
      [...chainOf('table', name)].some(({ isHidden }) => isHidden === true),
    isRaised: (name: string): boolean =>
      [...chainOf('text', name)].find(({ isRaised }) => isRaised !== undefined)?.isRaised === true,
  };
}

export type OdsStyles = ReturnType<typeof createOdsStyles>;

function formatOf(tag: string, parts: ReadonlySet<string>, factor: number, digits: number): Format {
  if (tag === 'date-style') {
    if (parts.has('day') || !parts.has('year')) return { ...plainFormat, shown: 'date' };
    return { ...plainFormat, shown: parts.has('month') ? 'month' : 'year' };
  }
  if (tag === 'time-style') return { ...plainFormat, shown: 'time' };
  if (tag === 'percentage-style') return { ...plainFormat, shown: 'percent' };
  const divisor = Number.isFinite(factor) && factor > 1 ? factor : 1;
  // A text beside the digits belongs to what is shown.
  const isBare = divisor === 1 && digits > 1 && parts.size === 1;
  return { ...plainFormat, divisor, digits: isBare ? digits : 0 };
}
