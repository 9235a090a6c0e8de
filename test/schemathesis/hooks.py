"""Promises that the description cannot express, as checks of Schemathesis."""

import itertools
import json
import pathlib
import re
import urllib.parse
import uuid

import schemathesis

# The dictionaries that the test has written, by what they are ids of.
FOLDER = pathlib.Path(__file__).parent
SEEDED = {
    name: itertools.cycle(json.loads(line) for line in (FOLDER / f"{name}.txt").read_text().splitlines())
    for name in ("datasets", "registers", "groups", "templates", "categories", "sources", "imports")
}
# The first that matches a path has the name of its ids.
KINDS = (
    ("/datasets/references/stac/", "imports"),
    ("/datasets/", "datasets"),
    ("/dataset-groups/", "groups"),
    ("/form-templates/", "templates"),
    ("/source-files/", "sources"),
)

# Bytes, as those of a file.
schemathesis.serializer.alias(
    ["application/pkcs7-signature", "application/offset+octet-stream"], "application/octet-stream"
)

# Fields that a response to a successful write repeats as they were sent.
KEPT = (
    "code",
    "name",
    "description",
    "unit",
    "parent_id",
    "category_id",
    "dg_id",
    "start_date",
    "end_date",
    "from_stage",
    "kato_column",
)


@schemathesis.check
def common_headers(ctx, response, case):
    """Every response has these, errors included."""
    for name, value in (("x-content-type-options", ["nosniff"]), ("x-request-id", None)):
        found = response.headers.get(name)
        assert found if value is None else found == value, f"{name} is {found}"


@schemathesis.check
def written_fields(ctx, response, case):
    """A write answers with what was sent, and does not change it silently."""
    sent = case.body
    if not (200 <= response.status_code < 300 and isinstance(sent, dict)):
        return
    if case.media_type != "application/json" or case.method not in ("POST", "PUT", "PATCH"):
        return
    body = json.loads(response.content)
    fields = fields_of(case.operation)
    for name in KEPT:
        if name not in sent or name not in body or name not in fields:
            continue
        if name == "code" and case.operation.label == "PUT /categories/{id}":
            continue  # fixed at creation
        expected = sent[name]
        if name.endswith("_id") and isinstance(expected, str):
            expected = expected.lower()
        if expected == "" and name in ("description", "unit") and case.path.startswith("/datasets"):
            expected = None
        if case.operation.label == "PUT /landscape/runs/{id}/record" and is_blank(expected):
            expected = None  # what is blank becomes empty
        assert body[name] == expected, f"{name} is {body[name]!r} after {expected!r} was sent"


def fields_of(operation):
    """The fields of a JSON body by the description; an unknown field is ignored."""
    content = operation.definition.raw.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    if "$ref" in schema:
        schema = operation.schema.raw_schema["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema.get("properties", {})


def is_blank(text):
    """White space as the service knows it: with the byte order mark, without separators and NEL, unlike Python's."""
    return isinstance(text, str) and re.fullmatch(r"(?:[^\S\x1c-\x1f\x85]|\ufeff)*", text) is not None


@schemathesis.hook
def map_query(ctx, query):
    """A long poll of more than a second proves nothing more, and holds a worker."""
    wait = (query or {}).get("wait")
    longest = 900 if ctx.operation.label == "GET /events" else 60
    if str(wait).isdecimal() and 1 < int(wait) <= longest:
        query["wait"] = 1 if isinstance(wait, int) else "1"
    return query


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """A link that was read out of null leads to nothing; an address of more than some 16,000 bytes is 431, whatever it asks for."""
    for name, value in (case.path_parameters or {}).items():
        if value in (None, "None"):
            case.path_parameters[name] = str(uuid.uuid4())
    if case.meta is not None and case.meta.phase.name == "coverage":
        lead_somewhere(case)
    while len(encoded(case.query)) > 12_000:
        longest = max(case.query, key=lambda name: len(encoded({name: case.query[name]})))
        del case.query[longest]


def lead_somewhere(case):
    """The coverage phase knows no dictionaries, so that its requests would all be about nothing."""
    kind = next((kind for start, kind in KINDS if case.path.startswith(start)), None)
    if kind is None and not case.path.startswith("/landscape/slots/"):
        return
    for name, value in (case.path_parameters or {}).items():
        if name == "code" and value == "0":
            case.path_parameters[name] = "landscape-in-dem"
        elif kind is not None and name in ("id", "a", "b") and case.method != "DELETE" and is_id(value):
            case.path_parameters[name] = next(SEEDED["registers" if name in ("a", "b") and kind == "datasets" else kind])
    for part in (case.query, case.body):
        fill(part)


def fill(value):
    """Replaces ids in a query or a body, in place."""
    if isinstance(value, list):
        for each in value:
            fill(each)
    if not isinstance(value, dict):
        return
    for name, own in value.items():
        kind = {"dataset_id": "datasets", "category_id": "categories", "dg_id": "groups"}.get(name)
        if kind is not None and is_id(own):
            value[name] = next(SEEDED[kind])
        elif name == "dataset_ids" and isinstance(own, list):
            value[name] = [next(SEEDED["datasets"]) if is_id(each) else each for each in own]
        else:
            fill(own)


def is_id(value):
    return isinstance(value, str) and re.fullmatch(r"(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value) is not None


def encoded(query):
    return urllib.parse.urlencode(query or {}, doseq=True, errors="replace")
