"""
Loads files as a person does in QGIS. Reads a JSON object from stdin: `qlr`, `xyz` and `wmts`, paths of files. Writes which layers the layer
file adds, and what the connections lead to.
"""

import json
import os
import sys
from urllib.parse import quote
from xml.etree import ElementTree

from qgis.core import QgsApplication, QgsLayerDefinition, QgsProject, QgsRasterLayer

asked = json.load(sys.stdin)
application = QgsApplication([], False)
application.initQgis()
project = QgsProject.instance()
loaded, error = QgsLayerDefinition.loadLayerDefinition(asked['qlr'], project, project.layerTreeRoot())


def facts(layer):
    return {'name': layer.name(), 'isValid': layer.isValid(), 'provider': layer.providerType()}


# What "Load Connections" keeps of a file, and makes a layer of when it is opened.
[xyz] = ElementTree.parse(asked['xyz']).getroot()
tiles = QgsRasterLayer(f"type=xyz&url={quote(xyz.get('url'))}&zmin={xyz.get('zmin')}&zmax={xyz.get('zmax')}", xyz.get('name'), 'wms')
[wms] = ElementTree.parse(asked['wmts']).getroot()
source = f"crs=EPSG:3857&format=image/png&layers={asked['layer']}&styles=default&tileMatrixSet=WebMercatorQuad&url={wms.get('url')}"
print(json.dumps({
    'loaded': loaded,
    'error': error,
    'groups': [group.name() for group in project.layerTreeRoot().findGroups()],
    'layers': [facts(layer) for layer in project.mapLayers().values()],
    'tiles': facts(tiles),
    'wmts': facts(QgsRasterLayer(source, wms.get('name'), 'wms')),
}))
sys.stdout.flush()
os._exit(0)  # QGIS does not always come to an end by itself
