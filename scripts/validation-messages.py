# Records what pydantic and jsonschema say of invalid arguments: test/fixtures/validation/python.json.
# Run with a Python that has pydantic 2 and jsonschema: python3 scripts/validation-messages.py
import json, typing, warnings
from importlib.metadata import version
import jsonschema
import pydantic
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

warnings.simplefilter("ignore")
T = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}
BOUNDS = {"minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt", "multipleOf": "multiple_of",
          "minLength": "min_length", "maxLength": "max_length", "pattern": "pattern", "minItems": "min_length", "maxItems": "max_length"}

def hint(schema, name="Model"):
    if "enum" in schema: return typing.Literal[tuple(schema["enum"])]
    if "anyOf" in schema: return typing.Union[tuple(hint(one, name) for one in schema["anyOf"])]
    kind = schema.get("type")
    if isinstance(kind, list): return typing.Union[tuple(hint({**schema, "type": one}, name) for one in kind)]
    if kind == "array": base = list[hint(schema["items"], name)] if "items" in schema else list
    elif kind == "object": return model(schema, schema.get("title", name)) if "properties" in schema else dict
    else: base = T[kind]
    extra = {BOUNDS[key]: value for key, value in schema.items() if key in BOUNDS}
    return typing.Annotated[base, Field(**extra)] if extra else base

def model(schema, name):
    need = schema.get("required", [])
    fields = {key: (hint(part, key), ...) if key in need else (hint(part, key), None) for key, part in schema["properties"].items()}
    config = ConfigDict(extra="forbid") if schema.get("additionalProperties") is False else ConfigDict()
    return create_model(name, __config__=config, **fields)

def call(schema, name):
    need = schema.get("required", [])
    names = sorted(schema["properties"], key=lambda key: key not in need)
    space = {f"h_{key}": hint(schema["properties"][key], key) for key in names}
    code = ", ".join(f"{key}: h_{key}" + ("" if key in need else " = None") for key in names)
    exec(f"def {name}({code}): pass", space)
    return TypeAdapter(space[name])

S = {"type": "string"}
def obj(properties, required=None, **more):
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required, **more}

CASES = [
    (obj({"title": S}), [{}, {"title": 5}, {"title": None}, {"title": ["a"]}, {"title": {"a": 1}}, {"title": True}]),
    (obj({"a": S, "b": {"type": "integer"}}), [{}, {"a": 1, "b": "x"}, {"a": "x"}, {"b": 1.5, "a": "it's"}]),
    (obj({"n": {"type": "integer", "minimum": 1, "maximum": 10}}), [{"n": 0}, {"n": 11}, {"n": "many"}, {"n": None}, {"n": 2.5}, {"n": []}]),
    (obj({"n": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}}), [{"n": 0}, {"n": 1}, {"n": "x"}, {"n": None}, {"n": 1.5}]),
    (obj({"n": {"type": "integer", "multipleOf": 5}}), [{"n": 7}]),
    (obj({"s": {"type": "string", "minLength": 3, "maxLength": 5}}), [{"s": ""}, {"s": "ab"}, {"s": "abcdef"}, {"s": 5}]),
    (obj({"s": {"type": "string", "minLength": 1}}), [{"s": ""}]),
    (obj({"s": {"type": "string", "pattern": "^[a-z]+$"}}), [{"s": "A1"}, {"s": "it's \"x\""}]),
    (obj({"e": {"enum": ["red", "green", "blue"], "type": "string"}}), [{"e": "pink"}, {"e": 5}, {"e": None}]),
    (obj({"b": {"type": "boolean"}}), [{"b": "maybe"}, {"b": 7}, {"b": None}, {"b": []}]),
    (obj({"l": {"type": "array", "items": S, "minItems": 1, "maxItems": 2}}), [{"l": []}, {"l": ["a", "b", "c"]}, {"l": "a"}, {"l": [1, "a", 2]}, {"l": None}]),
    (obj({"o": {"type": "object"}}), [{"o": 5}, {"o": None}, {"o": []}]),
    (obj({"f": obj({"limit": {"type": "integer"}, "q": S}, ["q"], title="Filter")}), [{"f": {}}, {"f": {"q": "x", "limit": "many"}}, {"f": 5}, {}]),
    (obj({"u": {"anyOf": [S, {"type": "integer"}]}}), [{"u": None}, {"u": []}, {"u": 1.5}]),
    (obj({"u": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}}), [{"u": 1}, {"u": "x"}]),
    (obj({"u": {"type": ["string", "null"]}}), [{"u": 5}]),
    (obj({"a": S}, additionalProperties=False), [{"a": "x", "b": 1}, {"b": 1, "c": 2}]),
    (obj({"a": S}), [{"a": 12345678901234567890}, {"a": 0.00001}, {"a": 1e22}, {"a": -0.5}, {"a": {"k": ["v", None, True, "a longer text that goes beyond fifty characters"]}}]),
]

out = []
for schema, values in CASES:
    for value in values:
        row = {"schema": schema, "value": value}
        try: jsonschema.validate(value, schema)
        except jsonschema.ValidationError as error: row["jsonschema"] = error.message
        for key, check in (("model", model(schema, "toolArguments").model_validate), ("call", call(schema, "tool").validate_python)):
            try: check(value)
            except pydantic.ValidationError as error: row[key] = str(error)
        out.append(row)
with open("test/fixtures/validation/python.json", "w") as file:
    json.dump({"pydantic": version("pydantic"), "jsonschema": version("jsonschema"), "cases": out}, file, indent=1)
    file.write("\n")
print(len(out))
