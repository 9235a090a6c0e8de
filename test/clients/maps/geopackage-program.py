"""
Opens GeoPackages as a person does who drags them into QGIS. Reads a JSON object from stdin: `packages`, paths of files. Writes of each the layers
that QGIS makes of it, each with the rules of its renderer, and which of them take each of its features.
"""

import json
import os
import sys

from qgis.core import (
    Qgis, QgsApplication, QgsExpressionContext, QgsExpressionContextUtils, QgsFeatureRequest, QgsProviderRegistry, QgsRenderContext, QgsVectorLayer
)

asked = json.load(sys.stdin)
application = QgsApplication([], False)
application.initQgis()


def colour_of(symbol):
    """That of the uppermost fill, else of the uppermost line, as legends have it."""
    lines = []
    for layer in reversed(symbol.symbolLayers()):
        said = layer.properties()
        if layer.layerType() == 'SimpleLine':
            lines += [layer.color().name()] if said['line_style'] != 'no' else []
        elif layer.layerType() == 'SimpleFill' and said['style'] == 'no':
            lines += [layer.strokeColor().name()] if said['outline_style'] != 'no' else []
        elif layer.color().alpha() > 0:
            return layer.color().name()
    return lines[0] if lines else None


def leaves(rule):
    children = rule.children()
    return [rule] if not children else [leaf for child in children for leaf in leaves(child)]


def seen(layer):
    renderer = layer.renderer()
    facts = {
        'isValid': layer.isValid(), 'name': layer.name(), 'type': renderer.type(), 'crs': layer.crs().authid(),
        'geometry': layer.geometryType(), 'fields': {field.name(): field.typeName() for field in layer.fields()},
    }
    if renderer.type() != 'RuleRenderer':
        return facts
    rules = leaves(renderer.rootRule())
    facts['rules'] = [
        {'label': rule.label(), 'colour': colour_of(rule.symbol()), 'filter': rule.filterExpression(),
         'error': None if rule.filter() is None or not rule.filter().hasParserError() else rule.filter().parserErrorString(),
         'scales': [rule.maximumScale(), rule.minimumScale()]}
        for rule in rules
    ]
    keys = {rule.ruleKey(): number for number, rule in enumerate(rules)}
    context = QgsRenderContext()
    context.setRendererScale(asked.get('scale', 5e6))
    expressions = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    context.setExpressionContext(expressions)
    copy = renderer.clone()
    copy.startRender(context, layer.fields())
    facts['features'] = {}
    for feature in layer.getFeatures(QgsFeatureRequest()):
        context.expressionContext().setFeature(feature)
        drawn = copy.legendKeysForFeature(feature, context)
        facts['features'][feature.id()] = sorted(keys[key] for key in drawn if key in keys)
    copy.stopRender(context)
    return facts


def layers_of(path):
    found = QgsProviderRegistry.instance().querySublayers(path, Qgis.SublayerQueryFlags(Qgis.SublayerQueryFlag.ResolveGeometryType))
    options = QgsVectorLayer.LayerOptions()
    options.loadDefaultStyle = True
    return [seen(QgsVectorLayer(part.uri(), part.name(), 'ogr', options)) for part in found]


print(json.dumps([layers_of(path) for path in asked['packages']]))
sys.stdout.flush()
os._exit(0)  # QGIS does not always come to an end by itself
