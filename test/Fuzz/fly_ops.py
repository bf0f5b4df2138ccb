# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random operations of the dialects, from TableGen's records.

The signature of every op (operands, their types, attributes, number of results)
comes from `llvm-tblgen --dump-json`, so that a new op is tried from its first
day. fly_hints.py adds what fits together beyond the signature. An op is written in the generic form:

    "fly.get"(%a0) <{mode = array<i32: 1>}> : (!fly.layout<(4,8):(1,4)>) -> RESULT
"""

import re

from fly_hints import HINTS


def kind_of(type_):
    match = re.match(r"!fly\.(\w+)<", type_)
    return match.group(1) if match else type_


class Operation:
    """An op with the types of its operands; one operand is named for each type."""

    def __init__(self, name, operands, properties, results):
        self.name, self.operands = name, operands
        self.properties, self.results = properties, results

    def line(self, names, result_names=""):
        properties = ", ".join(f"{k} = {v}" for k, v in self.properties.items())
        written = f" <{{{properties}}}>" if properties else ""
        results = ", ".join(self.results)
        return (
            f'{result_names}"{self.name}"({", ".join(names)}){written} : '
            f"({', '.join(self.operands)}) -> ({results})"
        )


class Signature:
    """What TableGen says of one op."""

    def __init__(self, records, op):
        record = records[op]
        self.name = f"{records[record['opDialect']['def']]['name']}.{record['opName']}"
        self.operands, self.attributes = [], []
        for value, name in record["arguments"]["args"]:
            value = value["def"]
            if "AttrConstraint" in records[value]["!superclasses"]:
                self.attributes.append((name, *self.attribute(records, value)))
            else:
                self.operands.append((name, *self.operand(records, value)))
        self.results = [
            self.operand(records, value["def"])
            for value, _ in record["results"]["args"]
        ]
        traits = [trait["def"] for trait in record["traits"]]
        self.segments = any("AttrSizedOperandSegments" in t for t in traits)

    @staticmethod
    def attribute(records, name):
        record = records[name]
        optional = "OptionalAttr" in record["!superclasses"]
        optional |= record.get("defaultValue") is not None
        while record.get("baseAttr") and record["baseAttr"]["def"] in records:
            name = record["baseAttr"]["def"]
            record = records[name]
        return record.get("mnemonic") or name, optional

    @staticmethod
    def operand(records, name):
        """(kinds, least number, greatest number)"""
        record = records[name]
        bounds = (1, 1)
        if "Optional" in record["!superclasses"]:
            bounds = (0, 1)
        if "Variadic" in record["!superclasses"]:
            bounds = (0, 3)
        return Signature.kinds(records, name), *bounds

    @staticmethod
    def kinds(records, name):
        record = records[name]
        if record.get("baseType"):
            return Signature.kinds(records, record["baseType"]["def"])
        if record.get("allowedTypes"):
            parts = [Signature.kinds(records, t["def"]) for t in record["allowedTypes"]]
            return sorted({kind for part in parts for kind in part})
        if record.get("mnemonic"):
            return [record["mnemonic"]]
        return [{"I1": "i1", "I32": "i32", "I64": "i64"}.get(name, "any")]


def signatures(records):
    """Signatures of all ops in a list of dumps, by name."""
    found = {}
    for dump in records:
        for op in dump["!instanceof"]["Op"]:
            signature = Signature(dump, op)
            found[signature.name] = signature
    return found


class Operations:
    """Writes random operations; remembers types that verified for later operands."""

    def __init__(self, grammar, signatures):
        self.grammar, self.signatures = grammar, signatures
        self.names = sorted(signatures)
        self.pool = {}

    def remember(self, type_):
        if type_.startswith("!fly.") and len(type_) < 300:
            known = self.pool.setdefault(kind_of(type_), [])
            if len(known) < 100:
                known.append(type_)
            else:
                known[self.grammar.rng.randrange(100)] = type_

    def operand(self, kinds):
        g = self.grammar
        kind = g.pick(*kinds)
        if g.wild() or kind == "any":
            return g.any_type()
        if kind in self.pool and g.chance(0.25):
            return g.pick(*self.pool[kind])
        return g.type_of(kind)

    def attribute(self, kind):
        g = self.grammar
        small = [-1, 0, 0, 1, 1, 2, 2, 3] if not g.wild() else [-2, 9, 2**31 - 1, -(2**31), 2**31]
        makers = {
            "I32Attr": lambda: f"{g.pick(*small)} : i32",
            "DenseI32ArrayAttr": lambda: self.array(small),
            "StrAttr": lambda: f'"{g.pick("soffset", "scale_a", "{}", "x={}", "", "%")}"',
            "BoolAttr": lambda: g.pick("true", "false"),
            "TypeAttr": lambda: g.element(),
            "DictionaryAttr": lambda: self.dictionary(),
            "mma_operand": lambda: f"#fly<mma_operand {g.pick(*'abcd')}>",
            "gemm_traversal_order": lambda: f"#fly<gemm_traversal_order {g.pick('kmn', 'mnk', 'nkm_serpentine')}>",
        }
        return g.attribute() if g.wild() or kind not in makers else makers[kind]()

    def array(self, numbers):
        count = self.grammar.pick(0, 1, 1, 1, 2, 2, 3)
        values = [str(self.grammar.pick(*numbers)) for _ in range(count)]
        return f"array<i32{': ' if values else ''}{', '.join(values)}>"

    def dictionary(self):
        g = self.grammar
        key = g.pick("allocSize", "allocBytes", "allocAlign", "x")
        return f"{{{key} = {g.pick('16 : i64', '12 : i64', '-1 : i64', '4 : i32', 'unit', '[]')}}}"

    def operation(self, name=None):
        g = self.grammar
        signature = self.signatures[name or g.pick(*self.names)]
        operands, counts = [], []
        for _, kinds, least, most in signature.operands:
            counts.append(g.rng.randint(least, most))
            operands += [self.operand(kinds) for _ in range(counts[-1])]
        properties = {
            key: self.attribute(kind)
            for key, kind, optional in signature.attributes
            if not g.chance(0.5 if optional else g.wildness / 4)
        }
        if signature.segments:
            if g.wild():
                counts[g.rng.randrange(len(counts))] = g.pick(-1, 0, 1, 2, 2**31 - 1)
            properties["operandSegmentSizes"] = f"array<i32: {', '.join(map(str, counts))}>"
        results = []
        for kinds, least, most in signature.results:
            count = g.rng.randint(least, most)
            # The first operand's type is the likeliest result that may be one.
            likely = operands[:1] if operands and kind_of(operands[0]) in kinds else []
            results += (likely or [self.operand(kinds)]) * count
        operation = Operation(signature.name, operands, properties, results)
        if not g.wild():
            hint = HINTS.get(signature.name.partition(".")[2])
            if hint:
                hint(g, operation)
        if g.wild():
            self.spoil(operation)
        return operation

    def spoil(self, operation):
        g = self.grammar
        where = g.pick("operand", "more", "fewer", "attribute", "result", "property")
        if where == "operand" and operation.operands:
            operation.operands[g.rng.randrange(len(operation.operands))] = g.any_type()
        elif where == "more":
            operation.operands.append(g.any_type())
        elif where == "fewer" and operation.operands:
            operation.operands.pop()
        elif where == "attribute":
            key = g.pick("x", "mode", "n", "begin", "valBits", "operandSegmentSizes")
            operation.properties[key] = g.attribute()
        elif where == "result":
            operation.results = [g.any_type() for _ in range(g.pick(0, 1, 1, 2))]
        elif where == "property" and operation.properties:
            operation.properties[g.pick(*operation.properties)] = g.attribute()
