#!/bin/sh
# For the shell; to Python it is a text.
""":"
command -v python3 > /dev/null && exec python3 "$0" "$@"
echo '{"answer":"error","kind":"unavailable","message":"python3 is not in PATH","hint":"install Python 3.9 or newer"}'
exit 1
"""
# Work of programs in Python on CPython as it is installed: its standard library, and Jinja of the apps pack. A process for each thread.

import hashlib
import html
import itertools
import json
import math
import os
import pathlib
import platform
import re
import struct
import sys

sys.dont_write_bytecode = True  # it would be written into the release folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "share/sizeup/kits/python"))
import sizeup_kit as kit


def written(tree):
    """A tree as JSON, without spaces."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


class JsonParse:
    verified = "the tree, written again, is the document"

    def __init__(self, parameters, inputs, seed):
        self.text = inputs["data"]

    def op(self):
        return json.loads(self.text)

    def output(self, tree):
        return written(tree).encode()

    def check(self, output):
        if output != self.text:
            raise kit.WrongAnswer("what was read and written again is not the document")

    def bytes_per_op(self):
        return len(self.text)


class JsonEncode(JsonParse):
    verified = "the text is the document"

    def __init__(self, parameters, inputs, seed):
        super().__init__(parameters, inputs, seed)
        self.tree = json.loads(self.text)

    def op(self):
        return written(self.tree).encode()

    def output(self, text):
        return text


NOWHERE = 2**32 - 1  # a group that has no part in a match


class RegexFind:
    verified = "matches are where another engine found them"

    def __init__(self, parameters, inputs, seed):
        self.text = inputs["data"]
        self.regex = re.compile(inputs["pattern"].rstrip())
        self.has_groups = parameters["finds"] == "groups"
        self.expected = parameters["spans_sha256"]

    def op(self):
        if self.has_groups:
            # The length of each last group, so that groups are looked for.
            last = self.regex.groups
            return sum(match.end(last) - match.start(last) for match in self.regex.finditer(self.text))
        return sum(1 for _ in self.regex.finditer(self.text))

    def output(self, _):
        """Start and end of each match, or of each of its groups, as numbers of 32 bits."""
        groups = range(self.regex.groups + 1 if self.has_groups else 1)
        spans = [match.span(group) for match in self.regex.finditer(self.text) for group in groups]
        places = [NOWHERE if place < 0 else place for span in spans for place in span]
        return struct.pack(f"<{len(places)}I", *places)

    def check(self, output):
        found = hashlib.sha256(output).hexdigest()
        if found != self.expected:
            raise kit.WrongAnswer(f"the spans that were found have SHA-256 {found}, not {self.expected}")

    def bytes_per_op(self):
        return len(self.text)


# The problem of The Computer Language Benchmarks Game, as in workers/lua/n-body.lua: position in astronomical units,
# velocity in units a day, mass in solar masses.
SOLAR_MASS = 4 * math.pi * math.pi
DAYS_PER_YEAR = 365.24
STEP = 0.01
PLANETS = [
    (
        4.84143144246472090e00, -1.16032004402742839e00, -1.03622044471123109e-01,
        1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04,
    ),
    (
        8.34336671824457987e00, 4.12479856412430479e00, -4.03523417114321381e-01,
        -2.76742510726862411e-03, 4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04,
    ),
    (
        1.28943695621391310e01, -1.51111514016986312e01, -2.23307578892655734e-01,
        2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05,
    ),
    (
        1.53796971148509165e01, -2.59193146099879641e01, 1.79258772950371181e-01,
        2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05,
    ),
]


class Body:
    def __init__(self, x, y, z, vx, vy, vz, mass):
        self.x, self.y, self.z = x, y, z
        self.vx, self.vy, self.vz = vx * DAYS_PER_YEAR, vy * DAYS_PER_YEAR, vz * DAYS_PER_YEAR
        self.mass = mass * SOLAR_MASS


def system():
    """The Sun and its planets; as a whole they stand still."""
    sun, *planets = bodies = [Body(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0), *(Body(*planet) for planet in PLANETS)]
    sun.vx = -sum(planet.vx * planet.mass for planet in planets) / SOLAR_MASS
    sun.vy = -sum(planet.vy * planet.mass for planet in planets) / SOLAR_MASS
    sun.vz = -sum(planet.vz * planet.mass for planet in planets) / SOLAR_MASS
    return bodies


def advance(pairs, bodies):
    """One step."""
    for a, b in pairs:
        dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
        square = dx * dx + dy * dy + dz * dz
        pull = STEP / (square * math.sqrt(square))
        a.vx -= dx * b.mass * pull
        a.vy -= dy * b.mass * pull
        a.vz -= dz * b.mass * pull
        b.vx += dx * a.mass * pull
        b.vy += dy * a.mass * pull
        b.vz += dz * a.mass * pull
    for body in bodies:
        body.x += STEP * body.vx
        body.y += STEP * body.vy
        body.z += STEP * body.vz


def energy(pairs, bodies):
    moving = sum(body.mass * (body.vx**2 + body.vy**2 + body.vz**2) / 2 for body in bodies)
    distances = ((a, b, math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)) for a, b in pairs)
    return moving - sum(a.mass * b.mass / distance for a, b, distance in distances)


class NBody:
    verified = "the energy before and after is that of another program"
    # Size → SHA-256 of the two lines of output, as in workers/lua/expected.toml.
    KNOWN = {2000: "fb0fb79f1d3b2a8aa24f29fb67ed170a024be89784a7cdc2225ae91216c2de84"}

    def __init__(self, parameters, inputs, seed):
        self.size = parameters["size"]

    def op(self):
        bodies = system()
        pairs = [(a, b) for at, a in enumerate(bodies) for b in bodies[at + 1 :]]
        before = energy(pairs, bodies)
        for _ in range(self.size):
            advance(pairs, bodies)
        return f"{before:.9f}\n{energy(pairs, bodies):.9f}\n"

    def output(self, lines):
        return lines.encode()

    def check(self, output):
        if hashlib.sha256(output).hexdigest() != self.KNOWN[self.size]:
            raise kit.WrongAnswer(f"{output!r} is not the energy before and after {self.size} steps")


class Jinja:
    """Jinja of the apps pack, which a build does not have. Its escapes are MarkupSafe's code in Python: the pack leaves out
    the extension in C, which each version of Python would need another of."""

    VERSION = "3.1.6"
    VARIABLE = "SIZEUP_APPS"
    FOLDER = "usr/share/python"

    @classmethod
    def folder(cls):
        pack = os.environ.get(cls.VARIABLE)
        if not pack:
            raise cls.unavailable(f"{cls.VARIABLE} names no apps pack")
        if not (pathlib.Path(pack) / cls.FOLDER / f"jinja2-{cls.VERSION}.dist-info").is_dir():
            raise cls.unavailable(f"{cls.VARIABLE} has no {cls.FOLDER}/jinja2-{cls.VERSION}.dist-info")
        return str(pathlib.Path(pack) / cls.FOLDER)

    @staticmethod
    def unavailable(why):
        return kit.Unavailable(
            f"Jinja: {why}; make the apps pack of this version of sizeup (`make apps`), "
            "and name its folder for this architecture in SIZEUP_APPS"
        )

    @classmethod
    def version(cls):
        try:
            cls.folder()
        except kit.Unavailable:
            return f"missing, {cls.VERSION} is needed"
        return f"{cls.VERSION} on CPython {platform.python_version()}"

    @classmethod
    def template(cls, source):
        # Before others: it is the pack's that is measured.
        sys.path.insert(0, cls.folder())
        import jinja2

        return jinja2.Environment(autoescape=True).from_string(source)


class RenderTable:
    """The table of workers/node/node.js, a call of a macro for each row."""

    verified = "the page is the one that is written without Jinja"
    TEMPLATE = """\
{%- macro row(order) -%}
<tr class="{{ 'paid' if order.paid else 'open' }}" data-number="{{ order.number }}">
<td>{{ order.number }}</td>
<td title="{{ order.city }}">{{ order.name }}</td>
<td><a href="/orders/{{ order.number }}">{{ order.city }}</a></td>
<td style="text-align:right">{{ '%.2f' % order.total }}</td>
<td>{% if order.paid %}<b>paid</b>{% endif %}</td>
</tr>
{%- endmacro -%}
<table class="orders"><tbody>
{% for order in orders %}{{ row(order) }}{% endfor %}
</tbody></table>""".replace("\n", "")

    def __init__(self, parameters, inputs, seed):
        self.template = Jinja.template(self.TEMPLATE)
        # The orders of the document, again and again, with numbers of their own.
        orders = json.loads(inputs["document"])["orders"]
        self.orders = [
            {
                "number": 1 + at, "name": order["customer"]["name"], "city": order["shipping"]["city"],
                "total": order["total"], "paid": order["paid"],
            }
            for at, order in zip(range(parameters["rows"]), itertools.cycle(orders))
        ]
        self.expected = self.written().encode()

    def written(self):
        """The page without Jinja."""
        rows = []
        for order in self.orders:
            number, name, city = order["number"], self.escaped(order["name"]), self.escaped(order["city"])
            rows += [
                f'<tr class="{"paid" if order["paid"] else "open"}" data-number="{number}"><td>{number}</td>',
                f'<td title="{city}">{name}</td><td><a href="/orders/{number}">{city}</a></td>',
                f'<td style="text-align:right">{order["total"]:.2f}</td><td>{"<b>paid</b>" if order["paid"] else ""}</td></tr>',
            ]
        return f'<table class="orders"><tbody>{"".join(rows)}</tbody></table>'

    @staticmethod
    def escaped(text):
        # As MarkupSafe writes them.
        return html.escape(text).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")

    def op(self):
        return self.template.render(orders=self.orders)

    def output(self, page):
        return page.encode()

    def check(self, output):
        if output != self.expected:
            raise kit.WrongAnswer("the page is not the one that is written without Jinja")


def self_test():
    if platform.python_implementation() != "CPython":
        raise kit.WrongAnswer(f"python3 is {platform.python_implementation()}, not CPython")


# SHA-256 of the spans of each pattern of the tables, as Rust's regex found them.
SPANS = kit.one_of(
    "fd03b2f132dde08c9e19cc14d329faee621ab0c86e7131135ae1e10404f248dd",
    "f19b3d9a34eeff5cefb759d831006eace66b5beaaabdd1c0a27a9f9e6ee4796b",
    "f15923648e84fca524a21e909f64c67775bba887e9933cfee2fdb00b4619764d",
)
kit.run(
    "python",
    [
        kit.Operation("json-parse/cpython", JsonParse, inputs=["data"]),
        kit.Operation("json-encode/cpython", JsonEncode, inputs=["data"]),
        kit.Operation(
            "regex-find/cpython", RegexFind, {"finds": kit.one_of("matches", "groups"), "spans_sha256": SPANS},
            inputs=["data", "pattern"],
        ),
        kit.Operation("n-body/cpython", NBody, {"size": kit.integers(min(NBody.KNOWN), max(NBody.KNOWN))}),
        kit.Operation("render-table/jinja", RenderTable, {"rows": kit.integers(1, 100_000)}, inputs=["document"]),
    ],
    libraries={"cpython": platform.python_version(), "jinja": Jinja.version()},
    self_test=self_test,
    processes=True,
)
