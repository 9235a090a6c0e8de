"""
Shows a map in QGIS without a window. Reads a JSON object from stdin: `lines`, which add a layer by `iface` as in the Python console, `uri` of
another layer, and `points` by longitude and latitude. Writes for each layer whether it is valid, the colours of a picture of it, and those of
the points.
"""

import json
import os
import sys

from qgis.core import (
    QgsApplication, QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsMapRendererSequentialJob, QgsMapSettings, QgsPointXY, QgsProject,
    QgsRasterLayer, QgsRectangle,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

asked = json.load(sys.stdin)
application = QgsApplication([], False)
application.initQgis()
project = QgsProject.instance()
mercator = QgsCoordinateReferenceSystem('EPSG:3857')
to_mercator = QgsCoordinateTransform(QgsCoordinateReferenceSystem('OGC:CRS84'), mercator, project)
metres_per_pixel = 40075016.685578488 / 256 / 2**10  # of a zoom, as a map of tiles has them
size = 800


class iface:
    """What the console of QGIS knows by this name, as far as it is needed here."""

    @staticmethod
    def addRasterLayer(uri, name, provider):
        return project.addMapLayer(QgsRasterLayer(uri, name, provider))


def look(layer):
    points = [to_mercator.transform(QgsPointXY(*point)) for point in asked['points']]
    middle = points[len(points) // 2]
    half = size / 2 * metres_per_pixel
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(mercator)
    settings.setBackgroundColor(QColor(255, 255, 255))
    settings.setOutputSize(QSize(size, size))
    settings.setExtent(QgsRectangle(middle.x() - half, middle.y() - half, middle.x() + half, middle.y() + half))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    to_pixel = settings.mapToPixel()

    def colour_at(point):
        pixel = to_pixel.transform(point)
        inside = 0 <= pixel.x() < size and 0 <= pixel.y() < size
        return QColor(image.pixel(int(pixel.x()), int(pixel.y()))).name() if inside else None

    colours = {QColor(image.pixel(x, y)).name() for x in range(size) for y in range(size)}
    return {'isValid': layer.isValid(), 'colours': sorted(colours), 'atPoints': [colour_at(point) for point in points]}


exec(asked['lines'])
[by_lines] = project.mapLayers().values()
print(json.dumps([look(by_lines), look(QgsRasterLayer(asked['uri'], 'WMTS', 'wms'))]))
sys.stdout.flush()
os._exit(0)  # QGIS does not always come to an end by itself
