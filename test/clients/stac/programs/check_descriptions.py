"""Checks descriptions of APIs against the schemas of their versions of OpenAPI."""
import json
import sys
import urllib.request

from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

for url in sys.argv[1:]:
    document = json.load(urllib.request.urlopen(url))
    validator = OpenAPIV30SpecValidator if document["openapi"].startswith("3.0") else OpenAPIV31SpecValidator
    for error in validator(document).iter_errors():
        print(url, list(error.absolute_path), error.message[:200])
