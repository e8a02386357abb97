"""The op of render-table-1000/jinja without sizeup, with the pack's Jinja. usage: python3 jinja_loop.py DOCUMENT < NANOSECONDS_OF_EACH_SAMPLE"""

import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(os.environ["SIZEUP_APPS"]) / "usr/share/python"))
import jinja2

ROW = (
    "{% macro row(o) %}<tr class=\"{{ 'paid' if o.paid else 'open' }}\" data-number=\"{{ o.number }}\"><td>{{ o.number }}</td>"
    '<td title="{{ o.city }}">{{ o.name }}</td><td><a href="/orders/{{ o.number }}">{{ o.city }}</a></td>'
    "<td style=\"text-align:right\">{{ '%.2f' % o.total }}</td><td>{% if o.paid %}<b>paid</b>{% endif %}</td></tr>{% endmacro %}"
)
TABLE = '<table class="orders"><tbody>{% for order in orders %}{{ row(order) }}{% endfor %}</tbody></table>'


def sample(least_ns):
    start, before, ops = time.monotonic_ns(), time.process_time_ns(), 0
    while ops == 0 or time.monotonic_ns() - start < least_ns:
        template.render(orders=orders)
        ops += 1
    return f"{ops} {time.process_time_ns() - before}"


template = jinja2.Environment(autoescape=True).from_string(ROW + TABLE)
document = json.loads(pathlib.Path(sys.argv[1]).read_bytes())["orders"]
orders = []
for at in range(1000):
    order = document[at % len(document)]
    orders.append({"number": at + 1, "name": order["customer"]["name"], "city": order["shipping"]["city"], "total": order["total"], "paid": order["paid"]})
for line in sys.stdin:
    print(sample(int(line)), flush=True)
