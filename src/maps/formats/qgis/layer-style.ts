import { xmlText } from '../../../../common/xml-text.ts';
import type { Scales } from '../../../../common/maps/style/sld-rule.ts';
import type { Rule } from '../../../../common/maps/style/sld-read.ts';
import { plainSigns } from '../../../../common/maps/units/unit-paint.ts';
import { type LayerColumns, qgisFilterOf } from './expression.ts';
import { type SymbolKind, symbolKinds, symbolXml } from './symbols.ts';

/** The number of a kind in QGIS, and what its function `geometry_type` calls it. */
const kindsInQgis = {
  point: { number: 0, name: 'Point' },
  line: { number: 1, name: 'Line' },
  polygon: { number: 2, name: 'Polygon' },
} as const satisfies Record<SymbolKind, object>;
/** QGIS keeps denominators as integers of 32 bits; 0 is none. */
const greatestDenominator = 2 ** 31 - 1;

interface StyledLayer {
  /** What legends call all of it where there are no rules. */
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly columns: LayerColumns;
  /** Undefined where features are of several kinds: QGIS makes a layer of each, and loads the same style for all of them. */
  readonly kind: SymbolKind | undefined;
}

/**
 * Writes rules as a style of QGIS (QML): its layer has the colours that the maps of the service have. Without rules it is drawn as the service
 * draws what has no style.
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
  /** Takes the symbol of each rule. */
  readonly symbols: string[];
}

/** Each layer of a style has a rule for the rest of its own, which is for what the rules beside it leave. */
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

/** The larger denominator is the smaller scale, which QGIS calls the least. */
function scaleAttributes([from, to]: Scales): Readonly<Record<string, string>> {
  const whole = (denominator: number) => String(Math.min(greatestDenominator, Math.ceil(denominator)));
  return {
    ...(from > 0 && { scalemindenom: whole(from) }),
    ...(to <= greatestDenominator && { scalemaxdenom: whole(to) }),
  };
}
