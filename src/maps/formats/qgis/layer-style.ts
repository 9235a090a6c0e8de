import { xmlText } from '../../../../common/xml-text.ts';
import type { Scales } from '../../../../common/maps/style/sld-rule.ts';
import type { Rule } from '../../../../common/maps/style/sld-read.ts';
import { plainSigns } from '../../../../common/maps/units/unit-paint.ts';
import { type LayerColumns, qgisFilterOf } from './expression.ts';
import { type SymbolKind, symbolKinds, symbolXml } from './symbols.ts';

/** Number of a geometry kind in QGIS, and its name in the function `geometry_type`. */
const kindsInQgis = {
  point: { number: 0, name: 'Point' },
  line: { number: 1, name: 'Line' },
  polygon: { number: 2, name: 'Polygon' },
} as const satisfies Record<SymbolKind, object>;
/** QGIS stores denominators as 32-bit integers; 0 means none. */
const greatestDenominator = 2 ** 31 - 1;

interface StyledLayer {
  /** Legend entry of a layer without rules. */
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly columns: LayerColumns;
  /** Undefined for features of several kinds: QGIS makes a layer of each kind and loads the same style for all of them. */
  readonly kind: SymbolKind | undefined;
}

/**
 * Translates rules to a QGIS style (QML) with the colours of the service's maps. A layer without rules is drawn in the
 * default style of the service.
 */
export function qgisStyleOf({ title, rules, columns, kind }: StyledLayer): string {
  const drawn = rules.length > 0 ? rules : plainSigns.map((sign) => ({ ...plainRule, title, signs: [sign] }));
  const symbols: string[] = [];
  const kinds = kind === undefined ? symbolKinds : [kind];
  const written = kinds.map((each) => {
    const own = rules.length > 0 ? drawn : drawn.filter(({ signs: [sign] }) => sign?.kind === each);
    const inside = rulesXml(own, { kind: each, columns, symbols });
    if (kind !== undefined) return inside;
    const { name } = kindsInQgis[each];
    return `<rule key="${each}" filter="geometry_type($geometry) = '${name}'" label="${name}">${inside}</rule>`;
  });
  const hasLevels = new Set(rules.map(({ layer }) => layer)).size > 1;
  return [
    "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>",
    '<qgis version="3.22.0" styleCategories="Symbology">',
    `<renderer-v2 type="RuleRenderer" symbollevels="${hasLevels ? 1 : 0}" forceraster="0" enableorderby="0">`,
    `<rules key="all">${written.join('')}</rules>`,
    `<symbols>${symbols.join('')}</symbols>`,
    '</renderer-v2>',
    '<blendMode>0</blendMode>',
    '<featureBlendMode>0</featureBlendMode>',
    kind === undefined ? '' : `<layerGeometryType>${kindsInQgis[kind].number}</layerGeometryType>`,
    '</qgis>',
    '',
  ].join('\n');
}

type DrawnRule = Pick<Rule, 'title' | 'expression' | 'scales' | 'signs' | 'layer'>;
const plainRule = { expression: undefined, scales: [0, Infinity], layer: 0 } as const;

interface Within {
  readonly kind: SymbolKind;
  readonly columns: LayerColumns;
  /** Collects the symbol of each rule. */
  readonly symbols: string[];
}

/** Returns the XML of rules. Each layer of a style has its own else rule, for features that its other rules do not select. */
function rulesXml(rules: readonly DrawnRule[], within: Within): string {
  const layers = [...new Set(rules.map(({ layer }) => layer))];
  const written = layers.map((layer) =>
    rules.flatMap((rule) => (rule.layer === layer ? [ruleXml(rule, within)] : [])).join(''),
  );
  return layers.length < 2
    ? written.join('')
    : written.map((inside, at) => `<rule key="${within.kind} ${at}">${inside}</rule>`).join('');
}

function ruleXml(
  { title, expression, scales, signs, layer }: DrawnRule,
  { kind, columns, symbols }: Within,
): string {
  const name = String(symbols.length);
  symbols.push(symbolXml(signs, { kind, name, pass: layer }));
  const filter =
    expression === undefined ? '' : expression === 'else' ? 'ELSE' : qgisFilterOf(expression, columns);
  const attributes = { key: `rule ${name}`, symbol: name, label: title, filter, ...scaleAttributes(scales) };
  const said = Object.entries(attributes).map(([key, value]) => `${key}="${xmlText(value)}"`);
  return `<rule ${said.join(' ')}/>`;
}

/** Returns the scale attributes; QGIS calls the larger denominator the minimum scale. */
function scaleAttributes([from, to]: Scales): Readonly<Record<string, string>> {
  const whole = (denominator: number) => String(Math.min(greatestDenominator, Math.ceil(denominator)));
  return {
    ...(from > 0 && { scalemindenom: whole(from) }),
    ...(to <= greatestDenominator && { scalemaxdenom: whole(to) }),
  };
}
