"""Checks events with the JSON Schemas in docs/schemas and Python's jsonschema, without format validators."""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator as Validator

day, next_day = {"date": "2026-03-10"}, {"date": "2026-03-11"}
valid = {"start": day, "end": next_day, "attendees": [{"email": "ada@example.com"}], "id": "abcde"}
nonsense = {
    "date": {"start": {"date": "nonsense"}},
    "dateTime": {"start": {"dateTime": "nonsense"}},
    "timeZone": {"start": {"dateTime": "2026-03-10T09:00:00Z", "timeZone": "non sense"}},
    "email": {"attendees": [{"email": "nonsense"}]},
    "id": {"id": "NONSENSE"},
    "status": {"status": "nonsense"},
    "summary": {"summary": 5},
}


def main(folder):
    schemas = {path: json.loads(path.read_text()) for path in sorted(folder.glob("*/*.json")) if path.name != "openapi.json"}
    for schema in schemas.values():
        Validator.check_schema(schema)
    inserts = [schema for path, schema in schemas.items() if path.name == "events.insert.json"]
    if len(inserts) != 2:
        sys.exit(f"{folder} has {len(inserts)} schemas of inserts, one for each dialect")
    for schema in inserts:
        validator = Validator(schema)
        validator.validate(valid)
        for member, change in nonsense.items():
            if not any(member in places(error) for error in validator.iter_errors(valid | change)):
                sys.exit(f"{schema['$id']}: nonsense as {member} passes")
    print(f"{len(schemas)} schemas")


def places(error):
    """Returns the members in which an error or one of its causes occurs."""
    found = set(error.absolute_path)
    for cause in error.context:
        found |= places(cause)
    return found


main(pathlib.Path(sys.argv[1]))
