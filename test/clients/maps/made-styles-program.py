"""
Draws styles that the page has made in QGIS, and by the rules of GeoServer. Reads a JSON object from stdin: `rasters`, each with the paths of a
raster of one row, of its SLD and of its QML, and `polygons`, each with the path of a GeoJSON whose features have `value`, and of its SLD. Writes
the colour of each pixel and of each feature, as both have it; null where nothing is drawn.
"""

import json
import os
import sys
from xml.etree import ElementTree

from osgeo import gdal, ogr
from qgis.core import QgsApplication, QgsExpression, QgsRasterLayer, QgsRenderContext, QgsVectorLayer
from qgis.PyQt.QtGui import QColor

asked = json.load(sys.stdin)
application = QgsApplication([], False)
application.initQgis()
names = {'sld': 'http://www.opengis.net/sld', 'ogc': 'http://www.opengis.net/ogc'}


def raster_by_qgis(path, qml):
    layer = QgsRasterLayer(path, 'raster', 'gdal')
    message, is_read = layer.loadNamedStyle(qml)
    if not layer.isValid() or not is_read:
        raise SystemExit(f'{path}: {message}')
    block = layer.renderer().block(1, layer.extent(), layer.width(), layer.height())
    colours = [QColor.fromRgba(block.color(0, column)) for column in range(layer.width())]
    return [colour.name() if colour.alpha() > 0 else None for colour in colours]


def written_by_qgis(path, qml, sld):
    """The colour map that QGIS itself writes for what it draws: quantities and colours."""
    layer = QgsRasterLayer(path, 'raster', 'gdal')
    layer.loadNamedStyle(qml)
    layer.saveSldStyle(sld + '.qgis.sld')
    return [(entry.get('quantity'), entry.get('color')) for entry in ElementTree.parse(sld + '.qgis.sld').iter() if entry.tag.endswith('ColorMapEntry')]


def raster_by_geoserver(path, sld):
    """https://docs.geoserver.org/stable/en/user/styling/sld/reference/rastersymbolizer.html: an interval ends below its quantity."""
    colour_map = ElementTree.parse(sld).find('.//sld:ColorMap', names)
    entries = [(float(entry.get('quantity')), entry.get('color')) for entry in colour_map]
    dataset = gdal.Open(path)  # which has to outlive its bands
    values = dataset.ReadAsArray()[0].tolist()
    no_data = dataset.GetRasterBand(1).GetNoDataValue()

    def colour_of(value):
        if value == no_data or value != value:
            return None
        kind = colour_map.get('type')
        if kind == 'intervals':
            return next((colour for quantity, colour in entries if value < quantity), None)
        if kind == 'values':
            return next((colour for quantity, colour in entries if value == quantity), None)
        if value <= entries[0][0]:
            return entries[0][1]
        for (low, first), (high, second) in zip(entries, entries[1:]):
            if value < high:
                parts = [(int(first[at:at + 2], 16), int(second[at:at + 2], 16)) for at in (1, 3, 5)]
                return '#' + ''.join(f'{round(a + (b - a) * (value - low) / (high - low)):02x}' for a, b in parts)
        return entries[-1][1]

    return [colour_of(value) for value in values]


def polygons_by_qgis(path, sld):
    layer = QgsVectorLayer(path, 'polygons', 'ogr')
    message, is_read = layer.loadSldStyle(sld)
    if not layer.isValid() or not is_read:
        raise SystemExit(f'{path}: {message}')
    context = QgsRenderContext()
    renderer = layer.renderer().clone()
    renderer.startRender(context, layer.fields())
    found = []
    for feature in layer.getFeatures():
        context.expressionContext().setFeature(feature)
        symbols = renderer.symbolsForFeature(feature, context)
        found.append(symbols[-1].symbolLayer(0).fillColor().name() if symbols else None)
    renderer.stopRender(context)
    return found


def polygons_by_geoserver(path, sld):
    """Comparisons of OGC filters, as GDAL judges them in its SQL; what is null compares with nothing."""
    signs = {'GreaterThanOrEqualTo': '>=', 'LessThan': '<', 'EqualTo': '='}
    dataset = ogr.Open(path)  # which has to outlive its layers
    layer = dataset.GetLayer()
    is_text = layer.GetLayerDefn().GetFieldDefn(layer.GetLayerDefn().GetFieldIndex('value')).GetType() == ogr.OFTString
    found = {feature.GetFID(): None for feature in layer}

    def literal(text):
        quoted = text.replace("'", "''")
        return f"'{quoted}'" if is_text else text

    for rule in ElementTree.parse(sld).iterfind('.//sld:Rule', names):
        conditions = [
            f'value {signs[element.tag.split("PropertyIs")[1]]} {literal(element.find("ogc:Literal", names).text)}'
            for element in rule.find('ogc:Filter', names).iter() if element.tag.split('PropertyIs')[-1] in signs
        ]
        layer.SetAttributeFilter(' AND '.join(conditions or ['value IS NOT NULL']))
        fill = rule.find('.//sld:Fill/sld:CssParameter', names).text
        for feature in layer:
            found[feature.GetFID()] = fill
    return list(found.values())


print(json.dumps({
    'rasters': [
        {
            'qgis': raster_by_qgis(each['raster'], each['qml']),
            'geoserver': raster_by_geoserver(each['raster'], each['sld']),
            'written': written_by_qgis(each['raster'], each['qml'], each['sld']),
        }
        for each in asked['rasters']
    ],
    'polygons': [
        {'qgis': polygons_by_qgis(each['polygons'], each['sld']), 'geoserver': polygons_by_geoserver(each['polygons'], each['sld'])}
        for each in asked['polygons']
    ],
}))
sys.stdout.flush()
os._exit(0)  # QGIS does not always come to an end by itself
