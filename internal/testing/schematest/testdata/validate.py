"""Reads lines {"schema": file, "body": text}, and writes whether Python's jsonschema accepts each body."""

import decimal
import functools
import json
import pathlib
import sys

from jsonschema import Draft202012Validator as Validator


@functools.cache
def validator(schema):
    return Validator(json.loads(pathlib.Path(schema).read_text()))


def number(text):
    """Reads a number with a fraction or an exponent. An integer is not rounded."""
    exact = decimal.Decimal(text)
    return int(exact) if exact == exact.to_integral_value() else float(text)


for line in sys.stdin.buffer:
    case = json.loads(line)
    print("true" if validator(case["schema"]).is_valid(json.loads(case["body"], parse_float=number)) else "false")
