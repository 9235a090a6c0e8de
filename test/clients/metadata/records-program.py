"""
Checks metadata as catalogues read it. Reads a JSON object from stdin: `records`, XML by ISO 19139, and `catalogues`, pages in JSON-LD. Writes what is
wrong with each record by the schemas of ISO 19139 (2007) and GML 3.2.1, and the triples of all pages together. Asks no network.
"""

import importlib.util
import json
import os
import sys

from lxml import etree
from rdflib import Graph

folder = os.path.dirname(importlib.util.find_spec('ckanext.iso19115').origin)
schemas = os.path.join(folder, 'namespaces')
# The one schema that is not in the package: the attributes of a link.
xlink = b'''<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/1999/xlink" xmlns:xlink="http://www.w3.org/1999/xlink">
<attribute name="href" type="anyURI"/><attribute name="role" type="anyURI"/><attribute name="arcrole" type="anyURI"/><attribute name="title" type="string"/>
<attribute name="show" type="string"/><attribute name="actuate" type="string"/>
<attributeGroup name="simpleAttrs"><attribute name="type" type="string" fixed="simple"/><attribute ref="xlink:href"/><attribute ref="xlink:role"/>
<attribute ref="xlink:arcrole"/><attribute ref="xlink:title"/><attribute ref="xlink:show"/><attribute ref="xlink:actuate"/></attributeGroup></schema>'''


class Local(etree.Resolver):
    def resolve(self, url, public_id, context):
        if url.endswith('xlink.xsd') or url.endswith('xlinks.xsd'):
            return self.resolve_string(xlink, context, base_url='http://www.w3.org/1999/xlink.xsd')
        if url.startswith('http'):
            path = os.path.join(schemas, url.split('://', 1)[1])
            return self.resolve_string(open(path, 'rb').read(), context, base_url=url)
        return None


parser = etree.XMLParser(no_network=True)
parser.resolvers.add(Local())
start = 'http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd'
schema = etree.XMLSchema(etree.fromstring(open(os.path.join(schemas, start.split('://')[1]), 'rb').read(), parser, base_url=start))

asked = json.load(sys.stdin)
faults = []
for record in asked['records']:
    schema.validate(etree.fromstring(record.encode()))
    faults.append([f'{error.line}: {error.message}' for error in schema.error_log])
graph = Graph()
for page in asked['catalogues']:
    graph.parse(data=page, format='json-ld')


def count(query):
    return len(list(graph.query('PREFIX dcat: <http://www.w3.org/ns/dcat#> PREFIX dct: <http://purl.org/dc/terms/> PREFIX foaf: <http://xmlns.com/foaf/0.1/> ' + query)))


json.dump({
    'faults': faults,
    'catalogues': count('SELECT DISTINCT ?c { ?c a dcat:Catalog; dct:title ?t; dct:description ?d; dct:publisher/foaf:name ?p }'),
    'datasets': count('SELECT DISTINCT ?s { ?c a dcat:Catalog; dcat:dataset ?s . ?s a dcat:Dataset; dct:title ?t; dct:description ?d; dct:identifier ?i }'),
    'distributions': count('SELECT DISTINCT ?s { ?s dcat:distribution ?d . ?d a dcat:Distribution; dcat:accessURL ?u . FILTER(isIRI(?u)) }'),
    'boxes': count('SELECT DISTINCT ?s { ?s dct:spatial/dcat:bbox ?b . FILTER(datatype(?b) = <http://www.opengis.net/ont/geosparql#wktLiteral>) }'),
    'periods': count('SELECT DISTINCT ?s { ?s dct:temporal/dcat:startDate ?b . FILTER(datatype(?b) = xsd:date) }'),
}, sys.stdout)
